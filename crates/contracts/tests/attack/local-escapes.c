// a variable ends with its function
/*@ ensures alloc(\result); */
int *bad(void) { int x = 1; int *p = &x; return p; }
