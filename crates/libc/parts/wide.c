/* Wide strings and blocks of them. */
#include "library.h"

static size_t length(const wchar_t *s)
{
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

static int has(const wchar_t *set, wchar_t c)
{
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}

size_t wcslen(const wchar_t *s) { return length(s); }

size_t wcsnlen(const wchar_t *s, size_t most)
{
  size_t n = 0;
  while (n < most && s[n]) n++;
  return n;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from)
{
  size_t n = length(from);
  __builtin_memcpy(to, from, (n + 1) * sizeof *to);
  return to + n;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
  wcpcpy(to, from);
  return to;
}

wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
  size_t i = 0;
  while (i < n && from[i]) i++;
  __builtin_memcpy(to, from, i * sizeof *to);
  for (size_t rest = i; rest < n; rest++) to[rest] = 0;
  return to + i;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
  wcpncpy(to, from, n);
  return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
  wcpcpy(to + length(to), from);
  return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
  wchar_t *end = to + length(to);
  size_t i = 0;
  while (i < n && from[i]) i++;
  __builtin_memcpy(end, from, i * sizeof *to);
  end[i] = 0;
  return to;
}

wchar_t *wcsdup(const wchar_t *s)
{
  wchar_t *copy = malloc((length(s) + 1) * sizeof *s);
  if (copy) wcpcpy(copy, s);
  return copy;
}

static int compare(wchar_t a, wchar_t b) { return a < b ? -1 : a > b; }

int wcscmp(const wchar_t *a, const wchar_t *b)
{
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return compare(*a, *b);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i] || !a[i]) return compare(a[i], b[i]);
  return 0;
}

static wchar_t lower(wchar_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n)
{
  IN_C(CTYPE);
  for (size_t i = 0; i < n; i++)
    if (lower(a[i]) != lower(b[i]) || !a[i]) return compare(lower(a[i]), lower(b[i]));
  return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b) { return wcsncasecmp(a, b, (size_t)-1); }

int wcscoll(const wchar_t *a, const wchar_t *b)
{
  IN_C(COLLATE);
  return wcscmp(a, b);
}

size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t size)
{
  IN_C(COLLATE);
  size_t n = length(from);
  for (size_t i = 0; i < size && i <= n; i++) to[i] = from[i];
  return n;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
  for (;; s++) {
    if (*s == c) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
  const wchar_t *found = NULL;
  for (;; s++) {
    if (*s == c) found = s;
    if (!*s) return (wchar_t *)found;
  }
}

size_t wcsspn(const wchar_t *s, const wchar_t *set)
{
  size_t n = 0;
  while (s[n] && has(set, s[n])) n++;
  return n;
}

size_t wcscspn(const wchar_t *s, const wchar_t *set)
{
  size_t n = 0;
  while (s[n] && !has(set, s[n])) n++;
  return n;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set)
{
  s += wcscspn(s, set);
  return *s ? (wchar_t *)s : NULL;
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *wanted)
{
  for (;; text++) {
    size_t same = 0;
    while (wanted[same] && text[same] == wanted[same]) same++;
    if (!wanted[same]) return (wchar_t *)text;
    if (!*text) return NULL;
  }
}

wchar_t *wcswcs(const wchar_t *text, const wchar_t *wanted) { return wcsstr(text, wanted); }

wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict set, wchar_t **restrict place)
{
  if (!s) s = *place;
  if (!s) return NULL;
  s += wcsspn(s, set);
  if (!*s) {
    *place = NULL;
    return NULL;
  }
  wchar_t *end = s + wcscspn(s, set);
  *place = *end ? end + 1 : NULL;
  if (*end) *end = 0;
  return s;
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
  __builtin_memcpy(to, from, n * sizeof *to);
  return to;
}

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) { return wmemcpy(to, from, n) + n; }

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
  __builtin_memmove(to, from, n * sizeof *to);
  return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
  for (size_t i = 0; i < n; i++) to[i] = c;
  return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return compare(a[i], b[i]);
  return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (s[i] == c) return (wchar_t *)(s + i);
  return NULL;
}
