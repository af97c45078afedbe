// case: wrong/duffs-device
// target: lp64
// property: memsafety
// verdict: safe
int main(void) {
  char a[7], b[7] = "abcdef", *to = a, *from = b;
  int count = 7, n = (count + 3) / 4;
  switch (count % 4) {
  case 0: do { *to++ = *from++;
  case 3:      *to++ = *from++;
  case 2:      *to++ = *from++;
  case 1:      *to++ = *from++;
          } while (--n > 0);
  }
  return a[5] - 'f';
}
