// case: libc/name-of-the-zone-bug1
// models: %Z reads the string at tm_zone
// target: lp64
// property: memsafety
// verdict: unsafe
// error: wild-deref line 16
#define _GNU_SOURCE
#include <string.h>
#include <time.h>
int main(void) {
    struct tm t;
    char b[20];
    memset(&t, 0, sizeof t);
    t.tm_mday = 1;
    t.tm_zone = (char *)16;
    strftime(b, 20, "%Z", &t);
    return 0;
}
