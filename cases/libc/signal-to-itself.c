// case: libc/signal-to-itself
// models: raise runs the handler that was set
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t seen;
static void handle(int number) { seen = number; }

int main(void) {
  assert(signal(SIGUSR1, handle) == SIG_DFL);
  raise(SIGUSR1);
  assert(seen == SIGUSR1);
  signal(SIGUSR1, SIG_IGN);
  seen = 0;
  raise(SIGUSR1);
  assert(seen == 0);
  return 0;
}
