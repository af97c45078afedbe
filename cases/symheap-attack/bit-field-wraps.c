// case: symheap-attack/bit-field-wraps
// models: a counter of two bits
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 16

struct small { unsigned b : 2; };
int main(void)
{
    int a[4] = {0}, n = 0;
    struct small s = {0};
    for (s.b = 0; s.b <= 2; s.b++)
        n++;
    s.b++;
    return a[s.b == 0 ? n + 1 : 0];
}
