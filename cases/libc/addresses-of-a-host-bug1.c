// case: libc/addresses-of-a-host-bug1
// models: the name of a host is only there if it was asked for
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 16

#define _GNU_SOURCE
#include <netdb.h>
#include <stdio.h>

int main(void)
{
    struct addrinfo *list;
    if (getaddrinfo("localhost", NULL, NULL, &list)) return 1;
    puts(list->ai_canonname);
    freeaddrinfo(list);
    return 0;
}
