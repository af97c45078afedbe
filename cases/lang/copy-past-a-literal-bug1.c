// case: lang/copy-past-a-literal-bug1
// models: a built-in copy of more bytes than a string literal has
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 11
int main(void)
{
    char b[100];
    b[0] = 0;
    __builtin_memcpy(b, "abc", 50);
    return b[0] == 'a' ? 0 : 1;
}
