// case: content/aligned-nodes-bug
// models: a list through blocks that are aligned by hand: the pointer from malloc is kept just below each, and the aligned pointer is freed
// target: lp64
// property: memsafety
// verdict: unsafe
// error: invalid-free line 43

#include <stdlib.h>
#include <string.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define LINE 32u

struct origin {
    void *start;
    size_t room;
};

struct packet {
    struct packet *next;
    unsigned length;
    char bytes[];
};

static struct packet *packet_new(unsigned length)
{
    size_t room = sizeof(struct packet) + length;
    char *start = malloc(room + sizeof(struct origin) + LINE - 1);
    uintptr_t first = (uintptr_t)start + sizeof(struct origin);
    struct packet *packet = (struct packet *)((first + LINE - 1) & ~(uintptr_t)(LINE - 1));
    struct origin *origin = (struct origin *)packet - 1;
    origin->start = start;
    origin->room = room;
    packet->length = length;
    return packet;
}

static void packet_free(struct packet *packet)
{
    free(packet);
}

int main(void)
{
    struct packet *queue = NULL;
    while (__VERIFIER_nondet_int()) {
        unsigned length = 1 + __VERIFIER_nondet_uint() % 500;
        struct packet *packet = packet_new(length);
        memset(packet->bytes, 0, length);
        packet->next = queue;
        queue = packet;
    }
    for (struct packet *packet = queue; packet; packet = packet->next)
        packet->bytes[packet->length - 1] = 1;
    while (queue) {
        struct packet *next = queue->next;
        packet_free(queue);
        queue = next;
    }
    return 0;
}
