// case: symheap/input-file-header
// models: fread of a header that has to be right
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 22

#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned char head[28], row[40];
    memset(row, 0, sizeof row);
    if (fread(head, 1, sizeof head, stdin) != sizeof head)
        return 0;
    if (head[0] != 'B' || head[1] != 'M')
        return 0;
    unsigned width = head[18] | (unsigned)head[19] << 8;
    if (head[26] != 1 || head[14] != 40 || width > 41 || width < 30)
        return 0;
    row[width - 1] = 255;
    return row[0];
}
