// case: cells/ring-buffer
// models: a ring of 32 numbers that begins anywhere
// target: lp64
// property: memsafety
// verdict: safe

extern unsigned __VERIFIER_nondet_uint(void);
static unsigned char ring[32];
static unsigned head, tail;
static void put(unsigned char x)
{
    ring[head % 32] = x;
    head++;
}
static unsigned char get(void)
{
    unsigned char x = ring[tail % 32];
    tail++;
    return x;
}
int main(void)
{
    int a[4] = {0};
    head = tail = __VERIFIER_nondet_uint() % 32;
    for (int i = 0; i < 3; i++)
        put((unsigned char)i);
    int n = 0;
    for (int i = 0; i < 3; i++)
        n += get();
    return a[n];
}
