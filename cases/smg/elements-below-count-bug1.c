// case: smg/elements-below-count-bug1
// models: arrays of unknown size on the heap and on the stack, with an index up to the number of elements
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void halve(int *a, int n) {
  for (int i = 0; i <= n; i++)
    while (a[i] > 1)
      a[i] /= 2;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000)
    return 0;
  int *heap = malloc(n * sizeof *heap);
  int stack[n];
  for (int i = 0; i < n; i++) {
    heap[i] = __VERIFIER_nondet_int();
    stack[i] = heap[i];
  }
  halve(heap, n);
  halve(stack, n);
  free(heap);
  return 0;
}
