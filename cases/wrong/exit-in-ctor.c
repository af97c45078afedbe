// case: wrong/exit-in-ctor
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
__attribute__((constructor)) static void c(void) { exit(0); }
int main(void) { return *(int *)0; }
