// case: content/leader-bug
// models: the first node of a list is known to all nodes, and to itself; but it goes before the others count at it
// target: lp64
// property: memsafety
// verdict: unsafe
// error: use-after-free line 60

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct member {
    struct member *next;
    struct member *leader;
    int score, total;
};

static struct member *member_new(struct member *leader)
{
    struct member *member = malloc(sizeof *member);
    member->score = member->total = 0;
    member->leader = leader ? leader : member;
    member->next = NULL;
    return member;
}

static void join(struct member *leader)
{
    struct member *member = member_new(leader);
    member->score = __VERIFIER_nondet_int();
    member->next = leader->next;
    leader->next = member;
}

static void leave(struct member *member)
{
    struct member *before = member->leader;
    while (before->next != member)
        before = before->next;
    before->next = member->next;
    free(member);
}

int main(void)
{
    struct member *leader = member_new(NULL);
    while (__VERIFIER_nondet_int()) {
        join(leader);
        struct member *member = leader;
        while (member->next && member->next->score > 0)
            member = member->next;
        if (member != member->leader)
            leave(member);
    }
    for (struct member *member = leader; member; member = member->next)
        member->leader->total ^= member->score;
    while (leader) {
        struct member *member = leader;
        leader = member->next;
        member->leader->total = 0;
        free(member);
    }
    return 0;
}
