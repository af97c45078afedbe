/* Classes of wide characters, and characters of several bytes, in the locale of C: a character is a byte below 128. */
#include "library.h"

typedef unsigned long wctype_t;
typedef const int *wctrans_t;
typedef struct { int count; union { unsigned wide; char bytes[4]; } value; } mbstate_t;

enum { UPPER = 1, LOWER, ALPHA, DIGIT, XDIGIT, SPACE, PRINT, GRAPH, BLANK, CNTRL, PUNCT, ALNUM, CLASSES };
static const char *const NAMES[] = {"upper", "lower", "alpha", "digit", "xdigit", "space",
                                    "print", "graph", "blank", "cntrl", "punct", "alnum"};

static int is(wint_t c, int class)
{
  IN_C(CTYPE);
  if (c >= 128) return 0;
  int upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
  switch (class) {
  case UPPER: return upper;
  case LOWER: return lower;
  case ALPHA: return upper || lower;
  case DIGIT: return digit;
  case XDIGIT: return digit || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f';
  case SPACE: return c == ' ' || c >= '\t' && c <= '\r';
  case PRINT: return c >= ' ' && c < 127;
  case GRAPH: return c > ' ' && c < 127;
  case BLANK: return c == ' ' || c == '\t';
  case CNTRL: return c < ' ' || c == 127;
  case PUNCT: return c > ' ' && c < 127 && !upper && !lower && !digit;
  default: return upper || lower || digit;
  }
}

int iswupper(wint_t c) { return is(c, UPPER); }
int iswlower(wint_t c) { return is(c, LOWER); }
int iswalpha(wint_t c) { return is(c, ALPHA); }
int iswdigit(wint_t c) { return is(c, DIGIT); }
int iswxdigit(wint_t c) { return is(c, XDIGIT); }
int iswspace(wint_t c) { return is(c, SPACE); }
int iswprint(wint_t c) { return is(c, PRINT); }
int iswgraph(wint_t c) { return is(c, GRAPH); }
int iswblank(wint_t c) { return is(c, BLANK); }
int iswcntrl(wint_t c) { return is(c, CNTRL); }
int iswpunct(wint_t c) { return is(c, PUNCT); }
int iswalnum(wint_t c) { return is(c, ALNUM); }

static int same(const char *a, const char *b)
{
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

wctype_t wctype(const char *name)
{
  IN_C(CTYPE);
  for (int class = 1; class < CLASSES; class++)
    if (same(name, NAMES[class - 1])) return (wctype_t)class;
  return 0;
}

int iswctype(wint_t c, wctype_t class) { return class ? is(c, (int)class) : 0; }

wint_t towlower(wint_t c)
{
  IN_C(CTYPE);
  return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

wint_t towupper(wint_t c)
{
  IN_C(CTYPE);
  return c >= 'a' && c <= 'z' ? c - 32 : c;
}

static const int MAPS[2];

wctrans_t wctrans(const char *name)
{
  return same(name, "tolower") ? &MAPS[0] : same(name, "toupper") ? &MAPS[1] : NULL;
}

wint_t towctrans(wint_t c, wctrans_t map) { return map == &MAPS[0] ? towlower(c) : map == &MAPS[1] ? towupper(c) : c; }

wint_t btowc(int c)
{
  IN_C(CTYPE);
  return c >= 0 && c < 128 ? (wint_t)c : WEOF;
}

int wctob(wint_t c)
{
  IN_C(CTYPE);
  return c < 128 ? (int)c : -1;
}

int mbsinit(const mbstate_t *state) { return !state || (state->count & 7) == 0; }

static size_t refuse(void)
{
  errno = EILSEQ;
  return NOT_CONVERTED;
}

size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t n, mbstate_t *restrict state)
{
  (void)state;
  IN_C(CTYPE);
  if (!from) return 0;
  if (n == 0) return (size_t)-2;
  byte c = (byte)*from;
  if (c >= 128) return refuse();
  if (to) *to = c;
  return c != 0;
}

size_t mbrlen(const char *restrict from, size_t n, mbstate_t *restrict state) { return mbrtowc(NULL, from, n, state); }

size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict state)
{
  (void)state;
  IN_C(CTYPE);
  if (!to) return 1;
  if ((wint_t)c >= 128) return refuse();
  *to = (char)c;
  return 1;
}

int mbtowc(wchar_t *restrict to, const char *restrict from, size_t n)
{
  if (!from) return 0;
  size_t taken = mbrtowc(to, from, n, NULL);
  return taken >= (size_t)-2 ? -1 : (int)taken;
}

int mblen(const char *from, size_t n) { return mbtowc(NULL, from, n); }

int wctomb(char *to, wchar_t c)
{
  if (!to) return 0;
  return (int)wcrtomb(to, c, NULL);
}

size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict from, size_t bytes, size_t n, mbstate_t *restrict state)
{
  (void)state;
  IN_C(CTYPE);
  const char *text = *from;
  size_t i = 0;
  for (; i < bytes && (!to || i < n); i++) {
    byte c = (byte)text[i];
    if (c >= 128) {
      if (to) *from = text + i;
      return refuse();
    }
    if (to) to[i] = c;
    if (!c) {
      if (to) *from = NULL;
      return i;
    }
  }
  if (to) *from = text + i;
  return i;
}

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t n, mbstate_t *restrict state)
{
  return mbsnrtowcs(to, from, (size_t)-1, n, state);
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t n)
{
  return mbsnrtowcs(to, &from, (size_t)-1, n, NULL);
}

size_t wcsnrtombs(char *restrict to, const wchar_t **restrict from, size_t count, size_t n, mbstate_t *restrict state)
{
  (void)state;
  IN_C(CTYPE);
  const wchar_t *text = *from;
  size_t i = 0;
  for (; i < count && (!to || i < n); i++) {
    wint_t c = (wint_t)text[i];
    if (c >= 128) {
      if (to) *from = text + i;
      return refuse();
    }
    if (to) to[i] = (char)c;
    if (!c) {
      if (to) *from = NULL;
      return i;
    }
  }
  if (to) *from = text + i;
  return i;
}

size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t n, mbstate_t *restrict state)
{
  return wcsnrtombs(to, from, (size_t)-1, n, state);
}

size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t n)
{
  return wcsnrtombs(to, &from, (size_t)-1, n, NULL);
}

static int is_space(wchar_t c) { return c == ' ' || c >= '\t' && c <= '\r'; }

static int digit_of(wchar_t c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

/* A number as strtol reads it: its magnitude, at most the greatest one, and whether it is negative. */
static unsigned long long parse(const wchar_t *s, wchar_t **end, int base, int *negative, int *large)
{
  const wchar_t *at = s;
  unsigned long long number = 0;
  if (base < 0 || base == 1 || base > 36) unusual_argument();
  while (is_space(*at)) at++;
  *negative = *at == '-';
  if (*at == '+' || *at == '-') at++;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_of(at[2]) < 16) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  const wchar_t *first = at;
  *large = 0;
  for (; digit_of(*at) < base; at++) {
    unsigned long long digit = (unsigned long long)digit_of(*at);
    if (number > (~0ULL - digit) / (unsigned)base) *large = 1;
    number = number * (unsigned)base + digit;
  }
  if (end) *end = (wchar_t *)(at == first ? s : at);
  return number;
}

static long long with_sign(const wchar_t *s, wchar_t **end, int base, unsigned long long most)
{
  int negative, large;
  unsigned long long number = parse(s, end, base, &negative, &large);
  if (large || number > most + (unsigned)negative) {
    errno = ERANGE;
    return negative ? -(long long)most - 1 : (long long)most;
  }
  return (long long)(negative ? 0 - number : number);
}

static unsigned long long without_sign(const wchar_t *s, wchar_t **end, int base, unsigned long long most)
{
  int negative, large;
  unsigned long long number = parse(s, end, base, &negative, &large);
  if (large || number > most) {
    errno = ERANGE;
    return most;
  }
  return negative ? 0 - number : number;
}

#define MOST(type) ((unsigned long long)(unsigned type)-1 >> 1)
long wcstol(const wchar_t *restrict s, wchar_t **restrict end, int base) { return (long)with_sign(s, end, base, MOST(long)); }
long long wcstoll(const wchar_t *restrict s, wchar_t **restrict end, int base) { return with_sign(s, end, base, MOST(long long)); }
unsigned long wcstoul(const wchar_t *restrict s, wchar_t **restrict end, int base)
{
  return (unsigned long)without_sign(s, end, base, (unsigned long)-1);
}
unsigned long long wcstoull(const wchar_t *restrict s, wchar_t **restrict end, int base)
{
  return without_sign(s, end, base, -1ULL);
}

/* How many columns a character takes: those of ASCII are one wide, others are no characters in the locale of C. */
int wcwidth(wchar_t c)
{
  IN_C(CTYPE);
  return c == 0 ? 0 : c >= ' ' && c <= '~' ? 1 : -1;
}

int wcswidth(const wchar_t *s, size_t most)
{
  int width = 0;
  for (size_t i = 0; i < most && s[i]; i++) {
    int one = wcwidth(s[i]);
    if (one < 0) return -1;
    width += one;
  }
  return width;
}
