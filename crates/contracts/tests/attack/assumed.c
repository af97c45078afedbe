// an assumption is nobody's proof
/*@ ensures \result == 1; */
int bad(int n) {
    int i = n;
    //@ assume i == 1;
    i = i + 0;
    return i;
}
