// whoever uses a wrong contract is not safe
/*@ ensures \result == 2; */
int wrong(void) { return 1; }
/*@ ensures \result == 2; */
int bad(void) { return wrong(); }
