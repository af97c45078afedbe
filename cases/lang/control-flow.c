// case: lang/control-flow
// models: goto, computed goto, switch with ranges and fall-through, statement expressions, cleanup, comma, short circuit, loops of every kind
// target: lp64
// property: assertions
// verdict: safe

#include <assert.h>
#include <stdlib.h>

static int log_[32], logged;
static void note(int *p) { log_[logged++] = *p; }
static void release(char **p) { free(*p); }

static int scopes(int n)
{
    __attribute__((cleanup(release))) char *block = malloc(8);
    __attribute__((cleanup(note))) int first = 1;
    for (int i = 0; i < n; i++) {
        __attribute__((cleanup(note))) int each = 10 + i;
        if (i == 1)
            continue;
        if (i == 3)
            return each;
    }
    block[0] = 1;
    return block[0];
}

static int interpret(const unsigned char *code)
{
    static void *const table[] = { &&push, &&add, &&dup, &&halt };
    int stack[8], top = 0;
    goto *table[*code++];
push:
    stack[top++] = *code++;
    goto *table[*code++];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *table[*code++];
dup:
    stack[top] = stack[top - 1];
    top++;
    goto *table[*code++];
halt:
    return stack[top - 1];
}

static int classify(int c)
{
    int kind = 0;
    switch (c) {
    case '0' ... '9': kind = 1; break;
    case 'a': kind = 5; /* fall through */
    case 'b': kind += 2; break;
    case -1: return -1;
    default: kind = 9;
    }
    return kind;
}

static int backwards(int n)
{
    int total = 0;
again:
    if (n <= 0)
        goto out;
    {
        int square = n * n;
        int *p = &square;
        total += *p;
    }
    n--;
    goto again;
out:
    return total;
}

#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })

int main(void)
{
    assert(scopes(2) == 1 && logged == 3 && log_[0] == 10 && log_[1] == 11 && log_[2] == 1);
    logged = 0;
    assert(scopes(9) == 13 && logged == 5 && log_[3] == 13 && log_[4] == 1);
    const unsigned char code[] = { 0, 20, 2, 1, 0, 2, 1, 3 };
    assert(interpret(code) == 42);
    assert(classify('5') == 1 && classify('a') == 7 && classify('b') == 2 && classify(-1) == -1 && classify(0) == 9);
    assert(backwards(3) == 14);
    int i = 0, calls = 0;
    assert(MAX(i++, 5) == 5 && i == 1);
    (void)((i > 5 && ++calls) || (i == 1 && (calls += 10)));
    assert(calls == 10);
    do i += 3; while (i < 10);
    assert(i == 10);
    int x = (i++, i * 2);
    assert(x == 22 && (x ?: 3) == 22 && !(0 ?: 0));
    switch (x) { int skipped; case 22: skipped = x; x += skipped; }
    assert(x == 44);
    return 0;
}
