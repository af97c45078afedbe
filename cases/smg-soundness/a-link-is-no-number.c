// case: smg-soundness/a-link-is-no-number
// models: the next link of a segment is that of an end; the numbers that links of nodes have do not spell words
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 59

#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int v; };
#define A ((struct node *)8)
#define B ((struct node *)16)
int main(void) {
  struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
  x->next = y; 
  int *s = malloc(sizeof *s);
  switch (__VERIFIER_nondet_int()) {
  case 0: *s = 0; y->next = B; goto L;
  case 1: *s = 1; y->next = A; goto L;
  case 2: *s = 2; y->next = B; goto L;
  case 3: *s = 3; y->next = A; goto L;
  case 4: *s = 4; y->next = B; goto L;
  case 5: *s = 5; y->next = A; goto L;
  case 6: *s = 6; y->next = B; goto L;
  case 7: *s = 7; y->next = A; goto L;
  case 8: *s = 8; y->next = B; goto L;
  case 9: *s = 9; y->next = A; goto L;
  case 10: *s = 10; y->next = B; goto L;
  case 11: *s = 11; y->next = A; goto L;
  case 12: *s = 12; y->next = B; goto L;
  case 13: *s = 13; y->next = A; goto L;
  case 14: *s = 14; y->next = B; goto L;
  case 15: *s = 15; y->next = A; goto L;
  case 16: *s = 16; y->next = B; goto L;
  case 17: *s = 17; y->next = A; goto L;
  case 18: *s = 18; y->next = B; goto L;
  case 19: *s = 19; y->next = A; goto L;
  case 20: *s = 20; y->next = B; goto L;
  case 21: *s = 21; y->next = A; goto L;
  case 22: *s = 22; y->next = B; goto L;
  case 23: *s = 23; y->next = A; goto L;
  case 24: *s = 24; y->next = B; goto L;
  case 25: *s = 25; y->next = A; goto L;
  case 26: *s = 26; y->next = B; goto L;
  case 27: *s = 27; y->next = A; goto L;
  case 28: *s = 28; y->next = B; goto L;
  case 29: *s = 29; y->next = A; goto L;
  case 30: *s = 30; y->next = B; goto L;
  case 31: *s = 31; y->next = A; goto L;
  case 32: *s = 32; y->next = B; goto L;
  case 33: *s = 33; y->next = A; goto L;
  default: *s = 0; y->next = A; goto L;
  }
L:
  y = NULL;
  if (__VERIFIER_nondet_int()) goto L;
  if (*s == 0)
    assert((long)x->next == 8 || (long)x->next == 16);   // there is another node
  return 0;
}
