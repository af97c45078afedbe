// case: libc/name-of-the-log
// models: the name of the log lives as long as the log is used
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
int main(void) {
  char *name = strdup("program");
  openlog(name, 0, LOG_USER);
  syslog(LOG_INFO, "started");
  closelog();
  free(name);
  syslog(LOG_INFO, "ended");
  return 0;
}
