// case: symheap-attack/right-behind-an-object
// models: one object may begin where another ends
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 15

int main(void)
{
    int zero = 0, *null = &zero;
    int a[2], b[2];
    int *end = a + 2, *start = b;
    if ((unsigned long)end == (unsigned long)start)
        null = 0;
    return *null;
}
