// case: symheap-attack/before-main
// models: a constructor runs before main
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 15

static int zero, *p = &zero;
__attribute__((constructor)) static void early(void)
{
    p = 0;
}
int main(void)
{
    return *p;
}
