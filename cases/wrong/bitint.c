// case: wrong/bitint
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 7
int a[4];
int main(void) { unsigned _BitInt(5) x = 31; x++; _BitInt(7) y = 63; y++; return a[x + (y < 0 ? 0 : 0) + (int)(y == -64) * 4]; }
