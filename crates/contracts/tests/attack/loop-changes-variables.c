// a loop changes the variables that it assigns
/*@ requires n >= 0;
    ensures \result == 0; */
int bad(int n)
{
    int i = 0;
    //@ loop invariant 0 <= i && i <= n;
    while (i < n) {
        i = i + 1;
    }
    return i;
}
/*@ requires n >= 0;
    ensures \result == n; */
int good(int n)
{
    int i = 0;
    //@ loop invariant 0 <= i && i <= n;
    while (i < n) {
        i = i + 1;
    }
    return i;
}
