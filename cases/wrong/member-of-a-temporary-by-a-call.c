// case: wrong/member-of-a-temporary-by-a-call
// target: ilp32
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 13
struct S { char s[32]; };
static struct S make(char c) { struct S r = {{c, 0}}; return r; }
static char *keep;
static char *id(char *p) { keep = p; return p; }
int main(void) {
  char c = *id(make('a').s);
  if (c == 'a')
    c = *keep;
  return c;
}
