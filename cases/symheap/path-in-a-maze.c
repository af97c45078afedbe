// case: symheap/path-in-a-maze
// models: a way of twelve steps through a maze
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 27

#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

static const char maze[5][6] = { "#####", "#.#.#", "#.#.#", "#..X#", "#####" };

int main(void)
{
    int x = 1, y = 1;
    for (int step = 0; step < 12; step++) {
        int nx = x, ny = y;
        switch (__VERIFIER_nondet_char()) {
        case 'w': ny--; break;
        case 's': ny++; break;
        case 'a': nx--; break;
        case 'd': nx++; break;
        default: return 0;
        }
        if (maze[ny][nx] == 'X') {
            int *p = NULL;
            *p = 1;
        }
        if (maze[ny][nx] != '.')
            return 0;
        x = nx;
        y = ny;
    }
    return 0;
}
