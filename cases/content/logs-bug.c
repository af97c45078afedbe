// case: content/logs-bug
// models: every node has a block of its own size that is filled over time; with a fault
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 36
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct log {
    struct log *next;
    size_t used;
    size_t room;
    long *entries;
};

static struct log *log_new(struct log *next, size_t room)
{
    struct log *log = malloc(sizeof *log);
    if (log == NULL)
        abort();
    log->entries = malloc(room * sizeof *log->entries);
    if (log->entries == NULL)
        abort();
    log->used = 0;
    log->room = room;
    log->next = next;
    return log;
}

static int append(struct log *log, long value)
{
    if (log->used > log->room)
        return 0;
    log->entries[log->used++] = value;
    return 1;
}

int main(void)
{
    struct log *logs = NULL;

    while (__VERIFIER_nondet_int()) {
        int room = __VERIFIER_nondet_int();
        if (room > 0 && room < 1000)
            logs = log_new(logs, (size_t)room);
    }
    while (__VERIFIER_nondet_int())
        for (struct log *log = logs; log != NULL; log = log->next)
            while (__VERIFIER_nondet_int() && append(log, __VERIFIER_nondet_int()))
                ;
    while (logs != NULL) {
        struct log *log = logs;
        long sum = 0;
        for (size_t i = 0; i < log->used; i++)
            sum += log->entries[i];
        logs = log->next;
        free(log->entries);
        free(log);
        if (sum == 42)
            continue;
    }
    return 0;
}
