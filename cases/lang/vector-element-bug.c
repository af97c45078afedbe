// case: lang/vector-element-bug
// models: an element of a vector that is not there
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 14

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
    v4 a = {1, 2, 3, 4};
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += a[i];
    return sum == 10;
}
