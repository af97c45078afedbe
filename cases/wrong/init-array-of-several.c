// case: wrong/init-array-of-several
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 12
int a[4], i;
static void one(void) { i = i * 2 + 1; }
static void two(void) { i = i * 2; }
typedef void (*fn)(void);
__attribute__((section(".init_array"), used)) static fn list[] = {one, two, one};
int main(void) {
  return a[i];
}
