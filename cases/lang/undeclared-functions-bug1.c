// case: lang/undeclared-functions-bug1
// models: a library function without a declaration returns a whole pointer
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 10
int main(void)
{
    char *p = calloc(3, 2);
    p[6] = 1;
    free(p);
    return 0;
}
