// case: lang/variadic-aligned-bug
// models: one variadic argument more is taken than was passed, after one that is aligned to 16 bytes
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14
#include <stdarg.h>

static long sum(int n, ...) {
    va_list list;
    long all = 0;
    va_start(list, n);
    for (int i = 0; i <= n; i++)
        all += (long)va_arg(list, __int128);
    va_end(list);
    return all;
}

int main(void) {
    __int128 number = 5;
    return sum(2, number, number) == 10;
}
