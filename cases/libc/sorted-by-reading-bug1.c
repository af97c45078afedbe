// case: libc/sorted-by-reading-bug1
// models: equal elements are in any order after qsort
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 22

#include <stdlib.h>

struct entry { int key, place; };

static int compare(const void *a, const void *b)
{
    return ((const struct entry *)a)->key - ((const struct entry *)b)->key;
}

int main(void)
{
    struct entry entries[3] = {{1, 0}, {1, 5}, {0, 2}};
    int room[3] = {0};
    qsort(entries, 3, sizeof *entries, compare);
    return room[entries[1].place];
}
