// case: symheap-attack/uninitialised-is-stable
// models: an uninitialised variable keeps its value
// target: lp64
// property: memsafety
// verdict: safe

int main(void)
{
    int zero = 0, *p = &zero;
    int x;
    int *q = &x;
    if (*q != *q)
        p = 0;
    return *p;
}
