// an invariant has to hold at first
/*@ ensures \result == 1; */
int bad(int n) {
    int i = n;
    //@ loop invariant i == 1;
    while (n > 0) {
        n = n - 1;
    }
    return i;
}
