/* Signals that the program sends itself. What comes from elsewhere, at any time, is left out. */
#include "library.h"

typedef void handler(int);
enum { SIGNALS = 65, ABORT = 6, KILL = 9, STOP = 19, BLOCK = 0, UNBLOCK = 1, SET = 2, SIGINFO = 4 };
#define SIG_DFL ((handler *)0)
#define SIG_IGN ((handler *)1)
#define SIG_ERR ((handler *)-1)

typedef struct { unsigned long bits[128 / sizeof(long)]; } sigset_t;
struct sigaction { handler *sa_handler; sigset_t sa_mask; int sa_flags; void (*sa_restorer)(void); };

static struct sigaction actions[SIGNALS];
static sigset_t blocked;
static sigset_t waiting;
enum { WORD = 8 * sizeof(long) };

void killed(void) __asm__("a signal that ends the program");

static int is_signal(int number) { return number >= 1 && number < SIGNALS && number != 32 && number != 33; }
static int is_set(const sigset_t *set, int number) { return set->bits[(number - 1) / WORD] >> (number - 1) % WORD & 1; }

static int refuse(void)
{
  errno = EINVAL;
  return -1;
}

int sigemptyset(sigset_t *set)
{
  for (size_t i = 0; i < sizeof set->bits / sizeof *set->bits; i++) set->bits[i] = 0;
  return 0;
}

int sigfillset(sigset_t *set)
{
  for (size_t i = 0; i < sizeof set->bits / sizeof *set->bits; i++) set->bits[i] = ~0ul;
  set->bits[31 / WORD] &= ~(1ul << 31 % WORD);
  set->bits[32 / WORD] &= ~(1ul << 32 % WORD);
  return 0;
}

static void set_bit(sigset_t *set, int number) { set->bits[(number - 1) / WORD] |= 1ul << (number - 1) % WORD; }
static void clear_bit(sigset_t *set, int number) { set->bits[(number - 1) / WORD] &= ~(1ul << (number - 1) % WORD); }

int sigaddset(sigset_t *set, int number)
{
  if (!is_signal(number)) return refuse();
  set_bit(set, number);
  return 0;
}

int sigdelset(sigset_t *set, int number)
{
  if (!is_signal(number)) return refuse();
  clear_bit(set, number);
  return 0;
}

int sigismember(const sigset_t *set, int number)
{
  if (number < 1 || number >= SIGNALS) return refuse();
  return is_set(set, number);
}

/* Signals that are ignored if the program does nothing about them. */
static int is_harmless(int number) { return number == 17 || number == 18 || number == 23 || number == 28; }

static void deliver_waiting(void);

static void deliver(int number)
{
  struct sigaction *action = &actions[number];
  handler *run = action->sa_handler;
  if (run == SIG_IGN || run == SIG_DFL && is_harmless(number)) return;
  if (run == SIG_DFL) {
    killed();
    return;
  }
  if (action->sa_flags & ~0x14000000) unusual_argument();
  sigset_t before = blocked;
  for (size_t i = 0; i < sizeof blocked.bits / sizeof *blocked.bits; i++)
    blocked.bits[i] |= action->sa_mask.bits[i];
  set_bit(&blocked, number);
  run(number);
  blocked = before;
  deliver_waiting();
}

static void deliver_waiting(void)
{
  for (int number = 1; number < SIGNALS; number++)
    if (is_set(&waiting, number) && !is_set(&blocked, number)) {
      clear_bit(&waiting, number);
      deliver(number);
    }
}

int raise(int number)
{
  if (number == 0) return 0;
  if (!is_signal(number)) return refuse();
  if (is_set(&blocked, number) && number != KILL && number != STOP)
    set_bit(&waiting, number);
  else
    deliver(number);
  return 0;
}

int sigaction(int number, const struct sigaction *restrict new, struct sigaction *restrict old)
{
  if (!is_signal(number) || new && (number == KILL || number == STOP)) return refuse();
  struct sigaction before = actions[number];
  if (new) actions[number] = *new;
  if (old) *old = before;
  return 0;
}

handler *signal(int number, handler *new)
{
  if (!is_signal(number) || number == KILL || number == STOP || new == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  handler *before = actions[number].sa_handler;
  actions[number].sa_handler = new;
  actions[number].sa_flags = 0x10000000;
  sigemptyset(&actions[number].sa_mask);
  return before;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
  sigset_t before = blocked;
  if (set) {
    if (how != BLOCK && how != UNBLOCK && how != SET) return refuse();
    for (size_t i = 0; i < sizeof blocked.bits / sizeof *blocked.bits; i++) {
      unsigned long bits = set->bits[i];
      blocked.bits[i] = how == BLOCK ? blocked.bits[i] | bits : how == UNBLOCK ? blocked.bits[i] & ~bits : bits;
    }
    clear_bit(&blocked, KILL);
    clear_bit(&blocked, STOP);
  }
  if (old) *old = before;
  deliver_waiting();
  return 0;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
  return sigprocmask(how, set, old) ? EINVAL : 0;
}

int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }

int sigpending(sigset_t *set)
{
  *set = waiting;
  return 0;
}

/* When the time is over cannot be said: only a signal that is ignored, or that ends the program, is followed. */
static void later(int number)
{
  handler *run = actions[number].sa_handler;
  if (run != SIG_IGN && run != SIG_DFL) unusual_argument();
}

unsigned alarm(unsigned seconds)
{
  if (seconds) later(14);
  return (unsigned)any_number();
}

struct itimer { long parts[4]; };
int setitimer(int which, const struct itimer *restrict new, struct itimer *restrict old)
{
  struct itimer given = *new;
  if (which < 0 || which > 2) return refuse();
  if (given.parts[2] || given.parts[3]) later(which == 0 ? 14 : which == 1 ? 26 : 27);
  if (old)
    for (int i = 0; i < 4; i++) old->parts[i] = (long)any_number();
  return 0;
}

/* Nothing is known of the signal that ends the waiting. */
int pause(void)
{
  unusual_argument();
  return -1;
}

int sigsuspend(const sigset_t *set)
{
  (void)*(const volatile unsigned long *)set->bits;
  return pause();
}
