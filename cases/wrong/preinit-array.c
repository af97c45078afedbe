// case: wrong/preinit-array
// target: ilp32
// property: memsafety
// verdict: safe
int a[2], *p;
static void first(void) { p = a; }
__attribute__((section(".preinit_array"), used)) static void (*f)(void) = first;
__attribute__((constructor)) static void then(void) { *p = 1; }
int main(void) { return a[0] - 1; }
