// case: wrong4/computed-pointers
// target: lp64
// property: contracts
// verdict: unknown
// function: bad_ret unknown
// function: bad_store unknown
// function: ok_store safe
// function: bad_sub unknown
// function: ok_one safe
// function: bad_moved unknown
// function: bad_int unknown
// function: ok_int safe
// function: bad_const2 unknown
// function: ok_field safe
// function: bad_sel unknown
// function: wrap unknown
// function: bad_wrap unknown
// function: bad_argnull unknown
// function: after unknown
/* pointers computed from others may be null, and may equal constants, also after they were stored, returned, handed over or moved in a loop */
#include <stddef.h>
int *keep; struct n { int v; struct n *next; };
/*@ requires alloc(p); ensures \result != NULL; */
int *bad_ret(int *p, int i) { return p + i; }
/*@ requires alloc(p); modifies {&keep}; ensures keep != NULL; */
void bad_store(int *p, long i) { keep = p + i; }
/*@ requires alloc(p); modifies {&keep}; ensures keep != NULL; */
void ok_store(int *p) { keep = p + 1; }
/*@ requires alloc(p); ensures \result == 0; */
int bad_sub(char *p) { return p - 0x404018 == 0; }
/*@ requires alloc(p); ensures \result == 1; */
int ok_one(int *p) { return p + 1 != 0; }
/*@ requires alloc(p); ensures \result == 1; */
int bad_moved(char *p, int n) {
    char *q = p;
    //@ loop invariant 1 == 1;
    while (n > 0) { q = q - 1; n--; }
    return q != 0;
}
/*@ requires alloc(p); ensures \result == 0; */
int bad_int(int *p) { return (long)p == 0x404018; }
/*@ requires alloc(p); ensures \result == 1; */
int ok_int(int *p) { int *q = (int *)(long)p; return q == p; }
/*@ requires alloc(p) && alloc(q); ensures \result == 0; */
int bad_const2(int *p, int *q) { int *r = p == q ? (int *)0x1000 : (int *)0x404018; return r == q; }
/*@ requires alloc(p); ensures \result == 1; */
int ok_field(struct n *p) { return &p->next != NULL; }
/*@ requires alloc(p); ensures \result == 1; */
int bad_sel(int *p, int i, int k) { int *q = k ? p + i : p; return q != 0; }
static int *add(int *p, long i) { return p + i; }
/*@ requires alloc(p); ensures \result == 1; */
int wrap(int *p, long i) { return add(p, i) != 0; }
/*@ requires alloc(p); */
void bad_wrap(int *p, long i) { int *q = add(p, i); if (!q) *q = 1; }
/*@ ensures \result == (q != NULL); */
int isset(int *q) { return q != 0; }
/*@ requires alloc(p); ensures \result == 1; */
int bad_argnull(int *p, long i) { return isset(p + i); }
/*@ requires alloc(p); modifies {&keep}; ensures \result == 1; */
int after(int *p, long i) { keep = p + i; isset(p); return keep != 0; }
