// case: libc/process-that-is-waited-for
// models: waitpid gives the process that it was given, or -1
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  pid_t child = fork();
  if (child > 0) {
    pid_t ended = waitpid(child, NULL, 0);
    assert(ended == child || ended == -1);
  }
  return 0;
}
