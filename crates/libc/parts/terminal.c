/* termios.h: speeds and modes in the structure. */
#include "library.h"

struct termios {
  unsigned input, output, control, local;
  byte line, characters[32];
  unsigned input_speed, output_speed;
};
enum { SPEED = 0x100f, VTIME = 5, VMIN = 6 };
#define SAME_SPEED 0x80000000u

static int is_speed(unsigned speed)
{
  if (!(speed & ~15u) || (speed >= 0x1001 && speed <= 0x100f)) return 1;
  errno = EINVAL;
  return 0;
}

unsigned cfgetospeed(const struct termios *modes) { return modes->control & SPEED; }

unsigned cfgetispeed(const struct termios *modes)
{
  return modes->input & SAME_SPEED ? 0 : modes->control & SPEED;
}

int cfsetospeed(struct termios *modes, unsigned speed)
{
  if (!is_speed(speed)) return -1;
  modes->control = (modes->control & ~(unsigned)SPEED) | speed;
  modes->output_speed = speed;
  return 0;
}

int cfsetispeed(struct termios *modes, unsigned speed)
{
  if (!is_speed(speed)) return -1;
  modes->input_speed = speed;
  if (!speed) {
    modes->input |= SAME_SPEED;
  } else {
    modes->input &= ~SAME_SPEED;
    modes->control = (modes->control & ~(unsigned)SPEED) | speed;
  }
  return 0;
}

int cfsetspeed(struct termios *modes, unsigned speed)
{
  if (!is_speed(speed)) return -1;
  cfsetispeed(modes, speed);
  return cfsetospeed(modes, speed);
}

void cfmakeraw(struct termios *modes)
{
  modes->input &= ~0x5ebu;
  modes->output &= ~1u;
  modes->local &= ~0x804bu;
  modes->control = (modes->control & ~0x130u) | 0x30;
  modes->characters[VMIN] = 1;
  modes->characters[VTIME] = 0;
}
