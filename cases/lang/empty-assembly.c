// case: lang/empty-assembly
// models: barriers for the compiler: assembly without instructions keeps what goes through it
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>

static int counter = 5;

int main(void) {
    int x = 3, y = 4;
    int *p = &x;
    __asm__ volatile("" : "+r"(x));
    __asm__ volatile("" : "+g"(p) : : "memory");
    __asm__ volatile("" : "+m"(counter), "+m"(y));
    __asm__("" : "=r"(y) : "0"(y + 1));
    __asm__ volatile("" : : "r"(p), "m"(y) : "memory", "cc");
    assert(*p == 3 && y == 5 && counter == 5);
    return 0;
}
