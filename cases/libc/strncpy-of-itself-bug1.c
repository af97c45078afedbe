// case: libc/strncpy-of-itself-bug1
// models: strncpy between overlapping areas, engine symheap alone
// target: lp64
// property: memsafety
// verdict: unsafe
// error: overlapping-copy line 10
#include <string.h>
int main(void) {
    char b[10] = "abcdef";
    strncpy(b + 1, b, 4);
    return 0;
}
