// case: libc/date-of-today-bug1
// models: strftime writes as much as it is told that there is room for
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 16

#include <stdio.h>
#include <time.h>

int main(void)
{
    char text[8];
    time_t now = time(NULL);
    struct tm *parts = localtime(&now);
    if (parts && strftime(text, 32, "%Y-%m-%d", parts))
        puts(text);
    return 0;
}
