// case: symheap-attack/errno-and-environment
// models: a variable of the environment that is not set
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 12

#include <stdlib.h>
int main(void)
{
    char *home = getenv("HOME");
    return home[0];
}
