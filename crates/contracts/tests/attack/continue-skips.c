// continue goes to the head with what was done so far
/*@ requires n >= 0 && n <= 100;
    ensures \result == n; */
int bad(int n) {
    int i = 0;
    int s = 0;
    //@ loop invariant 0 <= i && i <= n && s == i;
    while (i < n) {
        i = i + 1;
        if (i == 3) continue;
        s = s + 1;
    }
    return s;
}
