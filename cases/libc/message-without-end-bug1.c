// case: libc/message-without-end-bug1
// models: warnx reads the strings of its format
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 13

#include <err.h>

int main(void)
{
    char text[3] = {'a', 'b', 'c'};
    warnx("%s", text);
    return 0;
}
