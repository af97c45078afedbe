/* Regular expressions of POSIX, basic and extended, in the locale of C. All ways to match are tried; the longest counts. Where a
   part matches in several ways and the program asks for parts, libraries differ: that is not followed. */
#include "library.h"

enum { EXTENDED = 1, ICASE = 2, NEWLINE = 4, NOSUB = 8, NOTBOL = 1, NOTEOL = 2 };
enum { OK, NOMATCH, BADPAT, ECOLLATE, ECTYPE, EESCAPE, ESUBREG, EBRACK, EPAREN, EBRACE, BADBR, RANGE, SPACE, BADRPT };
enum { ANY, CHAR, SET, START, END, GROUP, BACK };
enum { WITHOUT_END = -1 };

/* An atom with how often it comes; a branch is a list of them, and a group a list of branches. */
struct branch;
struct atom {
  int kind, least, most, number;
  unsigned set[8];
  struct branch *group;
  struct atom *next;
};
struct branch { struct atom *first; struct branch *next; };

typedef struct {
  struct branch *tree;
  size_t groups_of_library, more;
  unsigned long syntax;
  char *fastmap;
  byte *translate;
  size_t re_nsub;
  unsigned bits;
} regex_t;
typedef struct { int start, end; } regmatch_t;

struct parser { const char *at; int flags, groups, error, depth; };

static void drop(struct branch *tree)
{
  while (tree) {
    struct branch *next = tree->next;
    for (struct atom *atom = tree->first; atom;) {
      struct atom *after = atom->next;
      drop(atom->group);
      free(atom);
      atom = after;
    }
    free(tree);
    tree = next;
  }
}

static int is_letter(int c) { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'; }
static void add(struct atom *atom, int c) { atom->set[c >> 5 & 7] |= 1u << (c & 31); }
static int has(const struct atom *atom, int c) { return atom->set[c >> 5 & 7] >> (c & 31) & 1; }

static int class_holds(const char *name, size_t length, int c)
{
  int upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
  static const char *const NAMES[] = {"alpha", "digit", "alnum", "upper", "lower", "space", "blank", "punct",
                                      "print", "graph", "cntrl", "xdigit"};
  int holds[] = {upper || lower, digit, upper || lower || digit, upper, lower, c == ' ' || c >= '\t' && c <= '\r',
                 c == ' ' || c == '\t', c > ' ' && c < 127 && !upper && !lower && !digit, c >= ' ' && c < 127,
                 c > ' ' && c < 127, c < ' ' || c == 127, digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'};
  for (int i = 0; i < 12; i++) {
    size_t same = 0;
    while (same < length && NAMES[i][same] == name[same]) same++;
    if (same == length && !NAMES[i][same]) return holds[i];
  }
  return -1;
}

/* A set in brackets; the first one is gone. */
static void parse_set(struct parser *p, struct atom *atom)
{
  int not = *p->at == '^';
  if (not) p->at++;
  const char *first = p->at;
  while (*p->at != ']' || p->at == first) {
    int low = (byte)*p->at;
    if (!low) {
      p->error = EBRACK;
      return;
    }
    p->at++;
    if (low == '[' && *p->at == ':') {
      const char *name = p->at + 1, *end = name;
      while (*end && !(*end == ':' && end[1] == ']')) end++;
      if (!*end) {
        p->error = EBRACK;
        return;
      }
      for (int c = 0; c < 256; c++) {
        int holds = class_holds(name, (size_t)(end - name), c);
        if (holds < 0) {
          p->error = ECTYPE;
          return;
        }
        if (holds) add(atom, c);
      }
      p->at = end + 2;
      continue;
    }
    if (low == '[' && (*p->at == '.' || *p->at == '=')) unusual_argument();
    int high = low;
    if (*p->at == '-' && p->at[1] && p->at[1] != ']') {
      high = (byte)p->at[1];
      if (high == '[' && (p->at[2] == '.' || p->at[2] == '=' || p->at[2] == ':')) unusual_argument();
      p->at += 2;
      if (high < low) {
        p->error = RANGE;
        return;
      }
    }
    for (int c = low; c <= high; c++) add(atom, c);
  }
  p->at++;
  if (p->flags & ICASE)
    for (int c = 0; c < 128; c++)
      if (is_letter(c) && has(atom, c)) add(atom, c ^ 32);
  if (not) {
    for (int i = 0; i < 8; i++) atom->set[i] = ~atom->set[i];
    if (p->flags & NEWLINE) atom->set[0] &= ~(1u << '\n');
  }
}

static struct branch *parse_branches(struct parser *p);

static int take_count(struct parser *p)
{
  int number = 0, digits = 0;
  for (; *p->at >= '0' && *p->at <= '9'; digits++) {
    number = number * 10 + *p->at++ - '0';
    if (number > 255) {
      p->error = BADBR;
      return 0;
    }
  }
  return digits ? number : WITHOUT_END;
}

/* How often an atom comes. */
static void parse_times(struct parser *p, struct atom *atom)
{
  int extended = p->flags & EXTENDED;
  for (;;) {
    const char *at = p->at;
    if (atom->least != 1 || atom->most != 1) {
      if (*at == '*' || extended && (*at == '+' || *at == '?' || *at == '{')) unusual_argument();
      return;
    }
    if (*at == '*') {
      atom->least = 0;
      atom->most = WITHOUT_END;
      p->at++;
    } else if (extended && *at == '+' || !extended && *at == '\\' && at[1] == '+') {
      atom->most = WITHOUT_END;
      p->at += extended ? 1 : 2;
    } else if (extended && *at == '?' || !extended && *at == '\\' && at[1] == '?') {
      atom->least = 0;
      p->at += extended ? 1 : 2;
    } else if (extended && *at == '{' || !extended && *at == '\\' && at[1] == '{') {
      p->at += extended ? 1 : 2;
      atom->least = atom->most = take_count(p);
      if (p->error) return;
      if (*p->at == ',') {
        p->at++;
        atom->most = take_count(p);
        if (p->error) return;
      }
      if (atom->least < 0 || atom->most >= 0 && atom->most < atom->least) {
        p->error = BADBR;
        return;
      }
      if (!extended && *p->at == '\\') p->at++;
      if (*p->at != '}') {
        p->error = EBRACE;
        return;
      }
      p->at++;
      if (atom->least == 1 && atom->most == 1) return;
    } else {
      return;
    }
  }
}

static struct atom *parse_atom(struct parser *p, int first)
{
  int extended = p->flags & EXTENDED;
  struct atom *atom = calloc(1, sizeof *atom);
  if (!atom) {
    p->error = SPACE;
    return NULL;
  }
  atom->least = atom->most = 1;
  int c = (byte)*p->at++;
  int special = !extended && c == '\\' && *p->at ? *p->at : 0;
  if (c == '.') {
    atom->kind = ANY;
  } else if (c == '[') {
    atom->kind = SET;
    parse_set(p, atom);
  } else if (c == '^' && (extended || first)) {
    atom->kind = START;
    if (!extended && *p->at == '*') unusual_argument();
  } else if (c == '$' && (extended || !*p->at || *p->at == '\\' && p->at[1] == ')')) {
    atom->kind = END;
  } else if (extended && c == '(' || special == '(') {
    if (!extended) p->at++;
    atom->kind = GROUP;
    atom->number = ++p->groups;
    p->depth++;
    atom->group = parse_branches(p);
    p->depth--;
    if (!p->error) {
      if (extended ? *p->at != ')' : *p->at != '\\' || p->at[1] != ')') p->error = EPAREN;
      else p->at += extended ? 1 : 2;
    }
  } else if (extended && (c == '*' || c == '+' || c == '?')) {
    p->error = BADRPT;
  } else if (c == '\\') {
    c = (byte)*p->at;
    if (!c) {
      p->error = EESCAPE;
    } else if (c >= '1' && c <= '9') {
      p->at++;
      atom->kind = BACK;
      atom->number = c - '0';
      if (atom->number > p->groups) p->error = ESUBREG;
    } else if (is_letter(c) || c == '<' || c == '>' || c == '`' || c == '\'') {
      unusual_argument();
    } else {
      p->at++;
      atom->kind = CHAR;
      atom->number = c;
    }
  } else {
    atom->kind = CHAR;
    atom->number = c;
  }
  return atom;
}

static int at_end(struct parser *p)
{
  const char *at = p->at;
  if (!*at) return 1;
  if (p->flags & EXTENDED) return *at == '|' || *at == ')' && p->depth;
  return *at == '\\' && (at[1] == '|' || at[1] == ')');
}

static struct branch *parse_branches(struct parser *p)
{
  struct branch *tree = calloc(1, sizeof *tree), *branch = tree;
  if (!tree) {
    p->error = SPACE;
    return NULL;
  }
  struct atom **place = &branch->first;
  for (int first = 1; !p->error; first = 0) {
    if (at_end(p)) {
      int bar = *p->at == '|' || *p->at == '\\' && p->at[1] == '|';
      if (!bar) {
        if (!(p->flags & EXTENDED) && *p->at == '\\' && !p->depth) p->error = EPAREN;
        break;
      }
      if (first) unusual_argument();
      p->at += *p->at == '|' ? 1 : 2;
      branch->next = calloc(1, sizeof *tree);
      if (!branch->next) {
        p->error = SPACE;
        break;
      }
      branch = branch->next;
      place = &branch->first;
      if (at_end(p)) unusual_argument();
      first = 1;
    }
    struct atom *atom = parse_atom(p, first);
    if (!atom) break;
    *place = atom;
    place = &atom->next;
    if (!p->error && atom->kind != START && atom->kind != END) parse_times(p, atom);
  }
  return tree;
}

int regcomp(regex_t *restrict made, const char *restrict pattern, int flags)
{
  IN_C(CTYPE);
  struct parser p = {pattern, flags, 0, 0, 0};
  struct branch *tree = parse_branches(&p);
  if (p.error) {
    drop(tree);
    return p.error;
  }
  made->tree = tree;
  made->syntax = (unsigned long)flags;
  made->re_nsub = (size_t)p.groups;
  return 0;
}

void regfree(regex_t *made)
{
  drop(made->tree);
  made->tree = NULL;
}

enum { GROUPS = 10, MOST_GROUPS = 64 };

/* What is left to match after a branch: atoms of the one around it. */
struct rest { const struct atom *atom; int times; const char *since; int group; const struct rest *outer; };

struct search {
  const char *text;
  int flags, given;
  const char *best;
  regmatch_t parts[MOST_GROUPS], found[MOST_GROUPS];
};

static int same(const struct search *s, int a, int b)
{
  if (s->flags & ICASE && is_letter(a) && is_letter(b)) return (a | 32) == (b | 32);
  return a == b;
}

static void match(struct search *s, const char *at, const struct atom *atom, int times, const struct rest *rest);

/* One more time an atom. */
static void once(struct search *s, const char *at, const struct atom *atom, int times, const struct rest *rest)
{
  int c = (byte)*at;
  switch (atom->kind) {
  case ANY:
    if (c && !(s->flags & NEWLINE && c == '\n')) match(s, at + 1, atom, times + 1, rest);
    break;
  case CHAR:
    if (c && same(s, c, atom->number)) match(s, at + 1, atom, times + 1, rest);
    break;
  case SET:
    if (c && has(atom, c)) match(s, at + 1, atom, times + 1, rest);
    break;
  case START:
    if (at == s->text ? !(s->given & NOTBOL) : s->flags & NEWLINE && at[-1] == '\n') match(s, at, atom, times + 1, rest);
    break;
  case END:
    if (!c ? !(s->given & NOTEOL) : s->flags & NEWLINE && c == '\n') match(s, at, atom, times + 1, rest);
    break;
  case GROUP: {
    struct rest after = {atom, times + 1, at, atom->number, rest};
    for (struct branch *branch = atom->group; branch; branch = branch->next) match(s, at, branch->first, 0, &after);
    break;
  }
  default: {
    regmatch_t part = s->parts[atom->number];
    if (part.start < 0) break;
    int n = 0;
    while (n < part.end - part.start && at[n] && same(s, (byte)s->text[part.start + n], (byte)at[n])) n++;
    if (n == part.end - part.start) match(s, at + n, atom, times + 1, rest);
  }
  }
}

/* Tries all ways to go on at an atom that came so many times. */
static void match(struct search *s, const char *at, const struct atom *atom, int times, const struct rest *rest)
{
  if (!atom) {
    if (!rest) {
      if (!s->best || at > s->best) {
        s->best = at;
        for (int i = 0; i < MOST_GROUPS; i++) s->found[i] = s->parts[i];
      }
      return;
    }
    regmatch_t before = s->parts[rest->group];
    s->parts[rest->group].start = (int)(rest->since - s->text);
    s->parts[rest->group].end = (int)(at - s->text);
    /* A group that matches nothing does not come again. */
    if (at > rest->since || rest->times <= rest->atom->least) match(s, at, rest->atom, rest->times, rest->outer);
    else match(s, at, rest->atom->next, 0, rest->outer);
    s->parts[rest->group] = before;
    return;
  }
  if (atom->most < 0 || times < atom->most) once(s, at, atom, times, rest);
  if (times >= atom->least) match(s, at, atom->next, 0, rest);
}

/* True if what a group matches may depend on the way. */
static int has_choice(const struct branch *tree)
{
  for (; tree; tree = tree->next) {
    if (tree->next) return 1;
    for (const struct atom *atom = tree->first; atom; atom = atom->next)
      if (atom->kind == GROUP && (atom->most != 1 || has_choice(atom->group))) return 1;
  }
  return 0;
}

int regexec(const regex_t *restrict made, const char *restrict text, size_t count, regmatch_t *restrict parts, int given)
{
  struct search s = {.text = text, .flags = (int)made->syntax, .given = given};
  if (given & ~(NOTBOL | NOTEOL) || made->re_nsub >= MOST_GROUPS) unusual_argument();
  int wanted = !(s.flags & NOSUB) && count > 0;
  if (wanted && count > 1 && made->re_nsub && has_choice(made->tree)) unusual_argument();
  for (const char *start = text;; start++) {
    for (int i = 0; i < MOST_GROUPS; i++) s.parts[i].start = s.parts[i].end = -1;
    for (struct branch *branch = made->tree; branch; branch = branch->next) match(&s, start, branch->first, 0, NULL);
    if (s.best) {
      for (size_t i = 0; wanted && i < count; i++) {
        parts[i].start = parts[i].end = -1;
        if (i <= made->re_nsub) parts[i] = s.found[i];
      }
      if (wanted) {
        parts[0].start = (int)(start - text);
        parts[0].end = (int)(s.best - text);
      }
      return 0;
    }
    if (!*start) return NOMATCH;
  }
}

size_t regerror(int code, const regex_t *restrict made, char *restrict area, size_t size)
{
  static const char *const TEXTS[] = {
    "Success", "No match", "Invalid regular expression", "Invalid collation character", "Invalid character class name",
    "Trailing backslash", "Invalid back reference", "Unmatched [, [^, [:, [., or [=", "Unmatched ( or \\(", "Unmatched \\{",
    "Invalid content of \\{\\}", "Invalid range end", "Memory exhausted", "Invalid preceding regular expression"};
  (void)made;
  if (code < 0 || code >= (int)(sizeof TEXTS / sizeof *TEXTS)) unusual_argument();
  const char *text = TEXTS[code];
  size_t n = 0;
  while (text[n]) n++;
  if (size) {
    size_t kept = n < size ? n : size - 1;
    for (size_t i = 0; i < kept; i++) area[i] = text[i];
    area[kept] = 0;
  }
  return n + 1;
}
