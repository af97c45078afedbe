// case: libc/name-of-the-system
// models: uname
// target: lp64
// property: memsafety
// verdict: safe

#include <string.h>
#include <sys/utsname.h>

int main(void)
{
    struct utsname names;
    char copy[65];
    if (uname(&names)) return 1;
    strcpy(copy, names.nodename);
    return copy[0];
}
