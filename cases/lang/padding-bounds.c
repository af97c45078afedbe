// case: lang/padding-bounds
// models: padding of an initialised structure as an index; gcc -O1 leaves what the stack held
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 23

#include <stdlib.h>
struct s { char c; int i; };

static __attribute__((noinline)) void dirty(void)
{
    volatile char b[512];
    for (int i = 0; i < 512; i++)
        b[i] = 0x5a;
}

static __attribute__((noinline)) int pad(struct s *p) { return ((unsigned char *)p)[1]; }

static __attribute__((noinline)) void use(char *t)
{
    struct s a = {1, 2};
    t[pad(&a)] = 1;
}

int main(void)
{
    char *t = malloc(16);
    dirty();
    use(t);
    free(t);
    return 0;
}
