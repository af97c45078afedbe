// a cast to a narrower number converts
/*@ ensures \result == (char)300; */
int bad(void) { return 300; }
