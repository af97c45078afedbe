// case: libc/name-of-the-zone-bug2
// models: %Z reads the string at tm_zone
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 19
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(void) {
    struct tm t;
    char b[20];
    memset(&t, 0, sizeof t);
    t.tm_mday = 1;
    char *z = strdup("ABC");
    t.tm_zone = z;
    free(z);
    strftime(b, 20, "%Z", &t);
    return 0;
}
