// case: libc/name-of-the-log-bug2
// models: openlog(NULL) leaves the earlier name in place in glibc
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 15
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
int main(void) {
    char *p = strdup("me");
    openlog(p, 0, 0);
    openlog(NULL, 0, 0);
    free(p);
    syslog(LOG_ERR, "x");
    return 0;
}
