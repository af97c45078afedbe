/* fenv.h: rounding is to nearest; which exceptions there were is not followed. */
#include "library.h"

void unknown_exceptions(void) __asm__("floating point exceptions");

int fegetround(void) { return 0; }

int fesetround(int mode)
{
  if (mode != 0 && mode != 0x400 && mode != 0x800 && mode != 0xc00) return 1;
  if (mode) unusual_argument();
  return 0;
}

int feclearexcept(int which)
{
  (void)which;
  return 0;
}

int fetestexcept(int which)
{
  if (which & 0x3d) unknown_exceptions();
  return 0;
}
