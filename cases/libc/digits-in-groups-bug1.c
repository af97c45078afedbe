// case: libc/digits-in-groups-bug1
// models: %' groups digits after setlocale (en_US: 1,234,567): 10 bytes into 8
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 12
#include <locale.h>
#include <stdio.h>
int main(void) {
    char b[8];
    setlocale(LC_ALL, "");
    sprintf(b, "%'d", 1234567);
    return 0;
}
