/* The numbers of the family of lrand48, which POSIX specifies. */
#include "library.h"

typedef unsigned long long state;
static const state FACTOR = 0x5deece66dULL;
static const unsigned ADDEND = 0xb;
static state factor = 0x5deece66dULL;
static unsigned addend = 0xb;
static unsigned short present[3];
static unsigned short before[3];

static state step(unsigned short x[3])
{
  state old = (state)x[2] << 32 | (state)x[1] << 16 | x[0];
  state next = (old * factor + addend) & 0xffffffffffffULL;
  x[0] = (unsigned short)next;
  x[1] = (unsigned short)(next >> 16);
  x[2] = (unsigned short)(next >> 32);
  return next;
}

static void seed(unsigned short low, unsigned short middle, unsigned short high)
{
  present[0] = low;
  present[1] = middle;
  present[2] = high;
  factor = FACTOR;
  addend = ADDEND;
}

static double fraction(unsigned short x[3]) { return (double)step(x) / 281474976710656.0; }

double drand48(void) { return fraction(present); }
double erand48(unsigned short x[3]) { return fraction(x); }
long lrand48(void) { return (long)(step(present) >> 17); }
long nrand48(unsigned short x[3]) { return (long)(step(x) >> 17); }
long mrand48(void) { return (int)(unsigned)(step(present) >> 16); }
long jrand48(unsigned short x[3]) { return (int)(unsigned)(step(x) >> 16); }
void srand48(long number) { seed(0x330e, (unsigned short)number, (unsigned short)((unsigned long)number >> 16)); }

unsigned short *seed48(unsigned short x[3])
{
  before[0] = present[0];
  before[1] = present[1];
  before[2] = present[2];
  seed(x[0], x[1], x[2]);
  return before;
}

void lcong48(unsigned short p[7])
{
  seed(p[0], p[1], p[2]);
  factor = (state)p[5] << 32 | (state)p[4] << 16 | p[3];
  addend = p[6];
}
