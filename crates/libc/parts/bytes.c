/* Functions of string.h that copy, look for and order bytes. */
#include "library.h"

static size_t length(const char *s)
{
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

void *memccpy(void *restrict to, const void *restrict from, int last, size_t n)
{
  byte *t = to;
  const byte *f = from;
  size_t kept = 0;
  while (kept < n && f[kept] != (byte)last) kept++;
  if (kept == n) {
    __builtin_memcpy(t, f, n);
    return NULL;
  }
  __builtin_memcpy(t, f, kept + 1);
  return t + kept + 1;
}

void *memmem(const void *text, size_t size, const void *wanted, size_t n)
{
  const byte *t = text, *w = wanted;
  if (n == 0) return (void *)t;
  for (size_t at = 0; at < size && n <= size - at; at++) {
    size_t same = 0;
    while (same < n && t[at + same] == w[same]) same++;
    if (same == n) return (void *)(t + at);
  }
  return NULL;
}

void *rawmemchr(const void *s, int c)
{
  const byte *p = s;
  while (*p != (byte)c) p++;
  return (void *)p;
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t size)
{
  size_t n = length(from);
  if (size) {
    size_t kept = n < size ? n : size - 1;
    __builtin_memcpy(to, from, kept);
    to[kept] = 0;
  }
  return n;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t size)
{
  size_t start = 0, n = length(from);
  while (start < size && to[start]) start++;
  if (start == size) return size + n;
  size_t room = size - start - 1;
  size_t kept = n < room ? n : room;
  __builtin_memcpy(to + start, from, kept);
  to[start + kept] = 0;
  return start + n;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
  size_t i = 0;
  while (i < n && from[i]) i++;
  __builtin_memcpy(to, from, i);
  __builtin_memset(to + i, 0, n - i);
  return to + i;
}

char *__stpncpy(char *restrict to, const char *restrict from, size_t n) { return stpncpy(to, from, n); }

void swab(const void *restrict from, void *restrict to, ssize_t n)
{
  const byte *f = from;
  byte *t = to;
  for (ssize_t i = 0; i + 1 < n; i += 2) {
    byte first = f[i];
    t[i] = f[i + 1];
    t[i + 1] = first;
  }
}

/* The order of strings is that of their bytes in the locale of C. */
size_t strxfrm(char *restrict to, const char *restrict from, size_t size)
{
  IN_C(COLLATE);
  size_t n = length(from);
  if (size) {
    size_t kept = n < size ? n + 1 : size;
    __builtin_memcpy(to, from, kept);
  }
  return n;
}

int strcoll(const char *a, const char *b)
{
  IN_C(COLLATE);
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return (byte)*a - (byte)*b;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

int strverscmp(const char *a, const char *b)
{
  size_t at = 0;
  while (a[at] && a[at] == b[at]) at++;
  if (a[at] == b[at]) return 0;
  size_t start = at;
  while (start > 0 && is_digit(a[start - 1])) start--;
  /* Digits after a zero are those of a fraction. */
  if (a[start] == '0' && start < at) {
    size_t zeros = start;
    while (zeros < at && a[zeros] == '0') zeros++;
    if (zeros == at) {
      int more_a = is_digit(a[at]), more_b = is_digit(b[at]);
      if (!more_a && more_b && b[at] == '0') return 1;
      if (more_a && !more_b && a[at] == '0') return -1;
      if (!more_a && more_b) return 1;
      if (more_a && !more_b) return -1;
    }
    return (byte)a[at] - (byte)b[at];
  }
  if (start < at || (is_digit(a[at]) && is_digit(b[at]) && a[at] != '0' && b[at] != '0')) {
    size_t more_a = at, more_b = at;
    while (is_digit(a[more_a])) more_a++;
    while (is_digit(b[more_b])) more_b++;
    if (more_a != more_b) return more_a < more_b ? -1 : 1;
  }
  return (byte)a[at] - (byte)b[at];
}
