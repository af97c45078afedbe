// case: symheap-attack/previous-round
// models: a pointer to the variable of the round before
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-scope line 14

int main(void)
{
    int *last = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (last)
            sum += *last;
        last = &x;
    }
    return sum;
}
