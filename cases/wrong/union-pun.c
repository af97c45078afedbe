// case: wrong/union-pun
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 8
union U { int *p; unsigned char c[8]; };
int x; 
int main(void) { union U u; u.p = &x; u.c[0] ^= 0x40; return *u.p; }
