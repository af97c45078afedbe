// members of a union share their bytes
union both { int number; unsigned char bytes[4]; };
/*@ requires alloc(u);
    modifies {&u->number, u->bytes};
    ensures u->number == 1; */
void bad(union both *u) { u->number = 1; u->bytes[1] = 1; }
/*@ requires alloc(u);
    modifies {&u->number};
    ensures u->bytes[1] == 1 && u->bytes[0] == 1; */
void good(union both *u) { u->number = 257; }
