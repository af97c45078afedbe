// case: libc/any-number-as-a-letter-bug1
// models: isalpha, the function, reads a table with entries for -128 to 255
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 10
extern int isalpha(int);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  return isalpha(__VERIFIER_nondet_int()) != 0;
}
