//! The texts of the explanations.

use super::Explanation;
use heapproof_verdict::ErrorClass;

/// The explanation of a class.
pub fn of(class: ErrorClass) -> Explanation {
    match class {
        ErrorClass::NullDeref => Explanation {
            summary: "access through the null pointer",
            meaning: "\
The program reads or writes through a pointer that is NULL, or through an address computed
from NULL (a member of a structure, an element of an array). Most systems end the program
with a segmentation fault.",
            picture: r"    list [ NULL ]---> nothing is here
                      +- list->next is read",
            example: "\
int last(struct node *list) {
    while (list->next != NULL)    /* here, when the list is empty */
        list = list->next;
    return list->value;
}",
            fix: "\
Test the pointer before its first use, or make sure that callers never pass NULL. Look at
the ends: the empty list, the element that was not found, the allocation that failed.",
        },
        ErrorClass::WildDeref => Explanation {
            summary: "access through a pointer that was never set",
            meaning: "\
The program reads or writes through a pointer that was never given a value, or through an
address made of a number. Such an address may lie anywhere: the access may crash, read
garbage or destroy other data.",
            picture: r"    n [ * ]---> +-----------+
                | value = 1 |
                | next  = ? ---> anywhere
                +-----------+",
            example: "\
struct node *n = malloc(sizeof *n);
n->value = 1;
return n->next->value;            /* here: n->next was never set */",
            fix: "\
Give every pointer a value when it comes into being, NULL if there is nothing better.
Memory from malloc is not initialised: set all members, or use calloc.",
        },
        ErrorClass::ReadonlyWrite => Explanation {
            summary: "write to a string literal or to a constant object",
            meaning: "\
The program changes a string literal or an object that was defined const. Most systems keep
these in memory that cannot be written and end the program.",
            picture: r"    name [ * ]---> +-----------------+
                   | h | e | a | p |0|  constant
                   +-^---------------+
                     +- 'H' is written",
            example: "\
char *name = \"heap\";
name[0] = 'H';                    /* here: the literal cannot be changed */",
            fix: "\
Make a copy that can be changed: `char name[] = \"heap\";` or strdup. Declare pointers to
literals as `const char *`, so that the compiler finds such writes.",
        },
        ErrorClass::UseAfterFree => Explanation {
            summary: "access to a heap block that was freed",
            meaning: "\
The program reads or writes a heap block after it was given to free (or to realloc, which
ends the life of the old block even if it does not move). The memory may belong to another
block by then: the program reads garbage or destroys other data.",
            picture: r"    p [ * ]---> + - - -X- - - +
                  next          freed
                + - -^- - - - +
                     +- p->next is read",
            example: "\
for (p = list; p != NULL; p = p->next)    /* here: p was just freed */
    free(p);",
            fix: "\
Take what is still needed out of the block before it is freed (`next = p->next; free(p);`),
and remove every pointer to the block from the data structure first. After
`q = realloc(p, n)` use only q.",
        },
        ErrorClass::DoubleFree => Explanation {
            summary: "second release of a heap block",
            meaning: "\
The program calls free (or realloc) with a block that was already freed. This destroys the
book-keeping of the allocator and is often exploitable.",
            picture: r"    buffer [ * ]---> + - - -X- - - +
                        freed           free(buffer) again
                     + - - - - - - +",
            example: "\
if (failed)
    free(buffer);
/* ... */
free(buffer);                     /* here, when failed was set */",
            fix: "\
Let one place own the block and free it. Set the pointer to NULL after free: free(NULL)
does nothing.",
        },
        ErrorClass::InvalidFree => Explanation {
            summary: "release of something that is not the start of a heap block",
            meaning: "\
The argument of free or realloc is neither NULL nor the start of a block from malloc,
calloc or realloc: it is a variable, a literal, or an address inside a block (CWE-761).",
            picture: r"    +-----------------------+
    | a heap block          |
    +-------^---------------+
            +- free(p): p is not the start",
            example: "\
char *text = malloc(80);
while (*text == ' ')
    text++;
free(text);                       /* here, when text was moved */",
            fix: "\
Keep the pointer that malloc gave and free that one. Free only what came from the heap.",
        },
        ErrorClass::OutOfBoundsRead => Explanation {
            summary: "read outside an object",
            meaning: "\
The program reads bytes before the start or behind the end of the variable or heap block
that the pointer belongs to. It reads garbage, gives away other data, or crashes.",
            picture: r"    +----┬----┬----┬----+....+
    | 0  | 1  | 2  | 3  |    :
    +----┴----┴----┴----+.^..+
                          +- a[4] is read",
            example: "\
int sum = 0, a[10];
for (int i = 0; i <= 10; i++)
    sum += a[i];                  /* here, when i is 10 */",
            fix: "\
Compare the index with the number of elements (`<`, not `<=`) before the access, and think
of the 0 at the end of a string. Test numbers that come from outside, negative ones too.",
        },
        ErrorClass::OutOfBoundsWrite => Explanation {
            summary: "write outside an object",
            meaning: "\
The program writes bytes before the start or behind the end of the variable or heap block
that the pointer belongs to. It destroys whatever lies there; this is the classical buffer
overflow.",
            picture: r"    +----┬----┬----┬----+....+
    | 0  | 1  | 2  | 3  |    :
    +----┴----┴----┴----+.^..+
                          +- a[4] is written",
            example: "\
char *copy = malloc(strlen(text));
strcpy(copy, text);               /* here: no room for the 0 at the end */",
            fix: "\
Allocate enough (`strlen(text) + 1`, `n * sizeof *p`), and test the index or the length
before the write.",
        },
        ErrorClass::Leak => Explanation {
            summary: "a heap block that can no longer be freed",
            meaning: "\
The last pointer to a heap block was overwritten or went out of scope, so the block can
never be freed. Under `memcleanup` also: a block that is left when the program ends. A
program that runs for long uses more and more memory.",
            picture: r"    p [ * ]--X   +-----------+
        +--->    | a block   |  nothing points to it any more:
      elsewhere  +-----------+  it can never be freed",
            example: "\
struct node *n = malloc(sizeof *n);
n = list;                         /* here: the new block is lost */",
            fix: "\
Free the block before its last pointer goes away, on error paths too. Keep the old pointer
until realloc succeeded.",
        },
        ErrorClass::UseAfterScope => Explanation {
            summary: "access to a local variable that no longer exists",
            meaning: "\
The program accesses a local variable through a pointer after the block or the function
that declares it has ended. The memory may hold other variables by then.",
            picture: r"    p [ * ]---> + - - - - - - +
                  local variable  its block or function is over
                + - - - - - - +",
            example: "\
int *number(void) {
    int n = 42;
    return &n;
}
int main(void) { return *number(); }    /* here: n is gone */",
            fix: "\
Let the caller provide the variable, allocate it on the heap, make it static, or move the
declaration to a scope that lives long enough.",
        },
        ErrorClass::OverlappingCopy => Explanation {
            summary: "a block copy between areas that overlap",
            meaning: "\
memcpy, strcpy and their relatives copy between areas that must not overlap. If they do,
the result depends on the order in which the library copies.",
            picture: r"    from  |--------------|
    to         |--------------|
               +- both --+",
            example: "\
memcpy(a + 1, a, 9 * sizeof *a);  /* here: both areas hold a[1] to a[8] */",
            fix: "\
Use memmove, which allows any overlap.",
        },
        ErrorClass::AssertionFailure => Explanation {
            summary: "a failing assertion",
            meaning: "\
The condition of an assert is false, or the error function (reach_error, __VERIFIER_error)
is called: the program itself says that this must not happen.",
            picture: r"    --> assert(n > 0) --X   the execution comes here with n = 0",
            example: "\
int middle = (low + high) / 2;
assert(low <= middle);            /* here, when low + high wraps around */",
            fix: "\
Follow the values of the condition back to where they went wrong; or correct the assertion
if it demands too much.",
        },
        ErrorClass::DivisionByZero => Explanation {
            summary: "integer division by zero",
            meaning: "\
The right operand of an integer `/` or `%` is zero. Most systems end the program.",
            picture: r"    sum / count             count = 0",
            example: "\
int average = sum / count;        /* here, when nothing was counted */",
            fix: "\
Test the divisor, and decide what the result is when it is zero.",
        },
        ErrorClass::DataStructure => Explanation {
            summary: "a broken data structure",
            meaning: "\
A node is handed over, at a call or a return, that is too small for its type, overlaps
another node, or holds a link that is neither NULL nor the address of a node of the right
type. The access that crashes may come much later.",
            picture: r"    head --> +------+    +------+    + - - - +
             | next ---> | next --->   freed     still linked
             +------+    +------+    + - - - +",
            example: "\
struct node *push(struct node *list) {
    struct node *n = malloc(sizeof n);    /* here: the size of a pointer, not of a node */
    n->next = list;
    return n;
}",
            fix: "\
Make every node complete before it becomes part of the structure: the right size
(`sizeof *n`), all links set, none of them to memory that is not a node.",
        },
        ErrorClass::Contract => Explanation {
            summary: "a broken contract",
            meaning: "\
A function does not keep what its annotation promises (`ensures`, `modifies`, a loop
invariant), or a caller does not provide what a function requires.",
            picture: r"    what holds before   -->  the function  -->   what holds after
      /*@ requires . */                            /*@ ensures . */  X",
            example: "\
/*@ requires alloc(p);
    modifies { &p->value }; */
void reset(struct node *p) {
    p->value = 0;
    p->next = NULL;               /* here: the contract does not allow this change */
}",
            fix: "\
Decide which of the two is right, the code or the contract, and change the other.",
        },
    }
}
