// case: libc/date-of-today
// models: strftime of parts that are not known
// target: lp64
// property: memsafety
// verdict: safe

#include <stdio.h>
#include <time.h>

int main(void)
{
    char text[32];
    time_t now = time(NULL);
    struct tm *parts = localtime(&now);
    if (parts && strftime(text, sizeof text, "%Y-%m-%d", parts))
        puts(text);
    return 0;
}
