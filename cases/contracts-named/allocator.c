// case: contracts-named/allocator
// models: HAVOC low-level reachability, Figure 12, allocator (first fit in one object)
// target: lp64
// property: contracts
// verdict: safe
#include <stddef.h>

/* A free block: a header followed by units - 1 more pieces of the same size. */
typedef struct region {
    struct region *next;
    unsigned long units;
} Region;

Region *freelist;

/*@ predicate ends(Region *p) = p == NULL || (!BS(p) && block(p, struct region.next) == NULL); */
/*@ predicate apart(Region *p) = \forall Region *x \in list(p, struct region.next); \forall Region *y \in list(p, struct region.next); x == NULL || y == NULL || x == y || Off(x) + 16 * x->units <= Off(y) || Off(y) + 16 * y->units <= Off(x); */

/*@ requires BS(NULL) && (ends(freelist));
    requires \forall Region *x \in list(freelist, struct region.next); x == NULL || (alloc(x) && Obj(x) == Obj(freelist) && Obj(x) != Obj(&freelist));
    requires \forall Region *x \in list(freelist, struct region.next); x == NULL || (Off(x) % 16 == 0 && x->units >= 1 && alloc(x + (x->units - 1)));
    requires apart(freelist);
    requires n >= 1;
    modifies union({&freelist}, union(list(freelist, struct region.next), incr(list(freelist, struct region.next), 8)));
    ensures ends(freelist) && apart(freelist);
    ensures \forall Region *x \in list(freelist, struct region.next); x == NULL || (in(x, \old(list(freelist, struct region.next))) && x->units >= 1 && x->units <= \old(x->units));
    ensures \result != NULL ==> !(\forall Region *x \in \old(list(freelist, struct region.next)); !(Obj(\result) == Obj(x) && Off(x) <= Off(\result) && Off(\result) + 16 * n <= Off(x) + 16 * \old(x->units)));
    ensures \result != NULL ==> (\forall Region *x \in list(freelist, struct region.next); x == NULL || Off(\result) + 16 * n <= Off(x) || Off(x) + 16 * x->units <= Off(\result));
*/
Region *allocate(unsigned long n)
{
    Region *prev = NULL;
    Region *cur = freelist;
    //@ loop invariant cur == NULL || in(cur, list(freelist, struct region.next));
    //@ loop invariant prev == NULL ==> cur == freelist;
    //@ loop invariant prev != NULL ==> in(prev, list(freelist, struct region.next)) && prev->next == cur;
    while (cur != NULL && cur->units < n) {
        prev = cur;
        cur = cur->next;
    }
    if (cur == NULL) {
        return NULL;
    }
    if (cur->units == n) {
        if (prev == NULL) {
            freelist = cur->next;
        } else {
            prev->next = cur->next;
        }
        return cur;
    }
    cur->units = cur->units - n;
    return cur + cur->units;
}
