// case: smg-soundness/a-link-back-is-no-number
// models: the prev link of a segment is that of an end; the numbers that links of nodes have do not spell words
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 58

#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; struct node *prev; };
#define A ((struct node *)8)
#define B ((struct node *)16)
int main(void) {
  struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
  x->next = y; y->prev = x; y->next = NULL;
  int *s = malloc(sizeof *s);
  switch (__VERIFIER_nondet_int()) {
  case 0: *s = 0; x->prev = B; goto L;
  case 1: *s = 1; x->prev = A; goto L;
  case 2: *s = 2; x->prev = B; goto L;
  case 3: *s = 3; x->prev = A; goto L;
  case 4: *s = 4; x->prev = B; goto L;
  case 5: *s = 5; x->prev = A; goto L;
  case 6: *s = 6; x->prev = B; goto L;
  case 7: *s = 7; x->prev = A; goto L;
  case 8: *s = 8; x->prev = B; goto L;
  case 9: *s = 9; x->prev = A; goto L;
  case 10: *s = 10; x->prev = B; goto L;
  case 11: *s = 11; x->prev = A; goto L;
  case 12: *s = 12; x->prev = B; goto L;
  case 13: *s = 13; x->prev = A; goto L;
  case 14: *s = 14; x->prev = B; goto L;
  case 15: *s = 15; x->prev = A; goto L;
  case 16: *s = 16; x->prev = B; goto L;
  case 17: *s = 17; x->prev = A; goto L;
  case 18: *s = 18; x->prev = B; goto L;
  case 19: *s = 19; x->prev = A; goto L;
  case 20: *s = 20; x->prev = B; goto L;
  case 21: *s = 21; x->prev = A; goto L;
  case 22: *s = 22; x->prev = B; goto L;
  case 23: *s = 23; x->prev = A; goto L;
  case 24: *s = 24; x->prev = B; goto L;
  case 25: *s = 25; x->prev = A; goto L;
  case 26: *s = 26; x->prev = B; goto L;
  case 27: *s = 27; x->prev = A; goto L;
  case 28: *s = 28; x->prev = B; goto L;
  case 29: *s = 29; x->prev = A; goto L;
  case 30: *s = 30; x->prev = B; goto L;
  case 31: *s = 31; x->prev = A; goto L;
  case 32: *s = 32; x->prev = B; goto L;
  case 33: *s = 33; x->prev = A; goto L;
  default: *s = 0; x->prev = A; goto L;
  }
L:
  if (__VERIFIER_nondet_int()) goto L;
  if (*s == 0)
    assert((long)x->next->prev == 8 || (long)x->next->prev == 16);   // it is x
  while (x) { y = x->next; free(x); x = y; }
  free(s);
  return 0;
}
