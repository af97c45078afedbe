// case: lang/variadic-free
// models: blocks are handed over as variadic arguments, directly and as a list
// target: lp64
// property: memsafety
// verdict: safe

#include <stdarg.h>
#include <stdlib.h>

static void free_list(int count, va_list list)
{
    if (count > 0) {
        free(va_arg(list, void *));
        free_list(count - 1, list);
    }
}

static void free_all(int count, ...)
{
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    if (!va_arg(copy, void *))
        abort();
    va_end(copy);
    free_list(count, list);
    va_end(list);
}

int main(void)
{
    free_all(3, malloc(4), malloc(8), malloc(12));
    return 0;
}
