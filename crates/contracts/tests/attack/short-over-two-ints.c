// a store may overlap two cells
/*@ requires alloc(a) && alloc(a + 1) && a[0] == 0 && a[1] == 0;
    modifies {a, a + 1};
    ensures a[0] == 0 || a[1] == 0; */
void bad(int *a) { *(short *)((char *)a + 3) = -1; }
