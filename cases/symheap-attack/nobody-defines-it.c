// case: symheap-attack/nobody-defines-it
// models: a weak function without a definition
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 12

extern int maybe(void) __attribute__((weak));
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    return __VERIFIER_nondet_int() == 5 ? maybe() : 0;
}
