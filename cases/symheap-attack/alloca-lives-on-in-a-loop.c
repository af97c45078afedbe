// case: symheap-attack/alloca-lives-on-in-a-loop
// models: memory of alloca lives until the function ends, not the block
// target: lp64
// property: memsafety
// verdict: safe

#include <alloca.h>
int main(void)
{
    int *first = 0;
    for (int i = 0; i < 4; i++) {
        int *p = alloca(4);
        *p = i;
        if (!first)
            first = p;
    }
    return *first;
}
