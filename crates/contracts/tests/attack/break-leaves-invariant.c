// a loop that is left by break has not run to its end
/*@ requires n >= 0 && n <= 100;
    ensures \result == n; */
int bad(int n) {
    int i = 0;
    //@ loop invariant 0 <= i && i <= n;
    while (i < n) {
        if (i == 7) break;
        i = i + 1;
    }
    return i;
}
/*@ requires n >= 0 && n <= 100;
    ensures \result == n; */
int good(int n) {
    int i = 0;
    //@ loop invariant 0 <= i && i <= n;
    while (i < n) {
        i = i + 1;
    }
    return i;
}
