// case: symheap-attack/pointer-of-a-difference
// models: from one object to another by their distance, as a number
// target: lp64
// property: memsafety
// verdict: safe

int main(void)
{
    char a[4] = {0}, b[4] = {1, 2, 3, 4};
    long distance = (long)b - (long)a;
    char *p = (char *)((long)a + distance);
    return p == b ? b[3] : a[3];
}
