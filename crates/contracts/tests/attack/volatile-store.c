// a volatile store is a store
volatile int flag;
/*@ modifies \nothing; */
void bad(void) { flag = 1; }
