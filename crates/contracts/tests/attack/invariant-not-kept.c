// an invariant has to be kept
/*@ ensures \result == 0; */
int bad(int n) {
    int i = 0;
    //@ loop invariant i == 0;
    while (n > 0) {
        i = i + 1;
        n = n - 1;
    }
    return i;
}
