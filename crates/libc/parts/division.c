/* Division with its rest, and the first bit that is set. */
#include "library.h"

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

div_t div(int a, int b) { div_t d = {a / b, a % b}; return d; }
ldiv_t ldiv(long a, long b) { ldiv_t d = {a / b, a % b}; return d; }
lldiv_t lldiv(long long a, long long b) { lldiv_t d = {a / b, a % b}; return d; }
lldiv_t imaxdiv(long long a, long long b) { lldiv_t d = {a / b, a % b}; return d; }

static int first(unsigned long long bits)
{
  if (!bits) return 0;
  int at = 1;
  while (!(bits & 1)) {
    bits >>= 1;
    at++;
  }
  return at;
}

int ffs(int bits) { return first((unsigned)bits); }
int ffsl(long bits) { return first((unsigned long)bits); }
int ffsll(long long bits) { return first((unsigned long long)bits); }
