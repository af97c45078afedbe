// case: libc/addresses-of-a-host
// models: getaddrinfo, freeaddrinfo, socket, connect, errx
// target: lp64
// property: memsafety
// verdict: safe

#define _GNU_SOURCE
#include <err.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    struct addrinfo hints, *list;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    int status = getaddrinfo("localhost", "80", &hints, &list);
    if (status)
        errx(1, "%s", gai_strerror(status));
    int made = -1;
    for (struct addrinfo *at = list; at; at = at->ai_next) {
        made = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
        if (made < 0)
            continue;
        if (connect(made, at->ai_addr, at->ai_addrlen) == 0)
            break;
        close(made);
        made = -1;
    }
    freeaddrinfo(list);
    return made < 0;
}
