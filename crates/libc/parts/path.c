/* Parts of a path, as POSIX has them: what follows is cut off. */
#include "library.h"

static char dot[] = ".";

char *dirname(char *path)
{
  size_t end = 0;
  if (!path || !*path) return dot;
  while (path[end]) end++;
  while (end > 0 && path[end - 1] == '/') end--;
  /* The last part. */
  while (end > 0 && path[end - 1] != '/') end--;
  if (end == 0 && path[0] != '/') return dot;
  while (end > 0 && path[end - 1] == '/') end--;
  if (end == 0) {
    /* Only slashes are left: one, or two if there are exactly two at the start. */
    size_t slashes = 0;
    while (path[slashes] == '/') slashes++;
    end = slashes == 2 ? 2 : 1;
  }
  path[end] = 0;
  return path;
}

char *__xpg_basename(char *path)
{
  if (!path || !*path) return dot;
  size_t end = 0;
  while (path[end]) end++;
  size_t last = end;
  while (end > 0 && path[end - 1] == '/') end--;
  if (end == 0) return path + last - 1;
  if (end < last) path[end] = 0;
  while (end > 0 && path[end - 1] != '/') end--;
  return path + end;
}

/* A name for a file that there is not: its last characters are any. */
char *tmpnam(char *name)
{
  static char own[20];
  static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  static const char START[] = "/tmp/file";
  char *to = name ? name : own;
  size_t at = 0;
  for (; START[at]; at++) to[at] = START[at];
  for (; at < 15; at++) to[at] = LETTERS[any_number() % 62];
  to[at] = 0;
  return to;
}

enum { NOMATCH = 1, NOESCAPE = 2, PATHNAME = 1, PERIOD = 4, FOLDED = 16 };

static char folded(char c, int flags) { return flags & FOLDED && c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static int in_class(const char *name, size_t length, char c)
{
  int upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
  static const char *const NAMES[] = {"alpha", "digit", "alnum", "upper", "lower", "space", "blank", "punct", "print", "graph", "cntrl", "xdigit"};
  int holds[] = {upper || lower, digit, upper || lower || digit, upper, lower, c == ' ' || c >= '\t' && c <= '\r', c == ' ' || c == '\t',
                 c > ' ' && c < 127 && !upper && !lower && !digit, c >= ' ' && c < 127, c > ' ' && c < 127, c >= 0 && c < ' ' || c == 127,
                 digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'};
  for (int i = 0; i < 12; i++) {
    size_t same = 0;
    while (same < length && NAMES[i][same] == name[same]) same++;
    if (same == length && !NAMES[i][same]) return holds[i];
  }
  unusual_argument();
  return 0;
}

/* A set in brackets: what follows it if the character is in it. Without an end it is an ordinary bracket. */
static const char *match_set(const char *set, char c, int flags, int *matches)
{
  const char *at = set + 1;
  int not = *at == '!' || *at == '^', found = 0;
  if (not) at++;
  for (const char *first = at; *at && (*at != ']' || at == first); ) {
    char low = *at;
    if (low == '[' && at[1] == ':') {
      const char *name = at + 2, *end = name;
      while (*end && !(*end == ':' && end[1] == ']')) end++;
      if (!*end) unusual_argument();
      found |= in_class(name, (size_t)(end - name), c);
      at = end + 2;
      continue;
    }
    if (low == '[' && (at[1] == '.' || at[1] == '=')) unusual_argument();
    if (low == '\\' && !(flags & NOESCAPE) && at[1]) low = *++at;
    char high = low;
    at++;
    if (*at == '-' && at[1] && at[1] != ']') {
      at++;
      if (*at == '[') unusual_argument();
      if (*at == '\\' && !(flags & NOESCAPE) && at[1]) at++;
      high = *at++;
    }
    char f = folded(c, flags);
    found |= (byte)c >= (byte)low && (byte)c <= (byte)high;
    found |= (byte)f >= (byte)folded(low, flags) && (byte)f <= (byte)folded(high, flags);
  }
  if (*at != ']') return NULL;
  *matches = found != not;
  return at + 1;
}

static int match(const char *pattern, const char *text, const char *start, int flags)
{
  for (;; text++) {
    int hidden = flags & PERIOD && *text == '.' && (text == start || flags & PATHNAME && text[-1] == '/');
    char p = *pattern++;
    if (p == 0) return *text ? NOMATCH : 0;
    if (p == '*') {
      while (*pattern == '*') pattern++;
      if (hidden) return NOMATCH;
      for (;; text++) {
        if (match(pattern, text, start, flags) == 0) return 0;
        if (!*text || flags & PATHNAME && *text == '/') return NOMATCH;
      }
    }
    if (!*text) return NOMATCH;
    if (p == '?') {
      if (hidden || flags & PATHNAME && *text == '/') return NOMATCH;
      continue;
    }
    if (p == '[') {
      int matches = 0;
      const char *next = match_set(pattern - 1, *text, flags, &matches);
      if (next) {
        if (flags & PATHNAME) {
          /* A slash in a set is not followed. */
          for (const char *c = pattern; c < next; c++)
            if (*c == '/') unusual_argument();
          if (*text == '/') return NOMATCH;
        }
        if (!matches || hidden) return NOMATCH;
        pattern = next;
        continue;
      }
    }
    if (p == '\\' && !(flags & NOESCAPE)) {
      if (!*pattern) unusual_argument();
      p = *pattern++;
    }
    if (folded(p, flags) != folded(*text, flags)) return NOMATCH;
  }
}

int fnmatch(const char *pattern, const char *text, int flags)
{
  IN_C(CTYPE);
  if (flags & ~(PATHNAME | NOESCAPE | PERIOD | FOLDED)) unusual_argument();
  return match(pattern, text, text, flags);
}
