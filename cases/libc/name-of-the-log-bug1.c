// case: libc/name-of-the-log-bug1
// models: the log keeps the pointer to its name
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 14
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
int main(void) {
  char *name = strdup("program");
  openlog(name, 0, LOG_USER);
  free(name);
  syslog(LOG_INFO, "started");
  return 0;
}
