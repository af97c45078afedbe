// an annotation in code that is not compiled is none
#if 0
/*@ requires 1 == 0; */
#endif
int bad(void) { return 0; }
