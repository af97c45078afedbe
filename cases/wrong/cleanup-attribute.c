// case: wrong/cleanup-attribute
// target: lp64
// property: memsafety
// verdict: safe
#include <stdlib.h>
static void fr(char **p) { free(*p); }
int main(void) { for (int i = 0; i < 3; i++) { __attribute__((cleanup(fr))) char *p = malloc(4); if (i == 1) continue; p[0] = 1; } return 0; }
