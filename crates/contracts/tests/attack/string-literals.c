// literals may share their bytes
/*@ ensures \result == 1; */
int bad(void) { const char *a = "bc"; const char *b = "abc"; return a != b + 1; }
