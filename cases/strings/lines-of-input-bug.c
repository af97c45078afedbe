// case: strings/lines-of-input-bug
// models: lines of any length, each in a buffer that grows, in an array that grows; printed backwards, but a line that fills its buffer has no room for its end
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-write line 25
#include <stdio.h>
#include <stdlib.h>

static char *read_line(void) {
    size_t room = 2, length = 0;
    char *line = malloc(room);
    int c;
    if (!line) return NULL;
    while ((c = getchar()) != EOF && c != '\n') {
        if (length >= room) {
            room *= 2;
            char *larger = realloc(line, room);
            if (!larger) { free(line); return NULL; }
            line = larger;
        }
        line[length++] = (char)c;
    }
    if (length == 0 && c == EOF) { free(line); return NULL; }
    line[length] = '\0';
    return line;
}

int main(void) {
    char **lines = NULL, *line;
    size_t count = 0, room = 0;
    while ((line = read_line())) {
        if (count == room) {
            room = room ? 2 * room : 8;
            char **larger = realloc(lines, room * sizeof *larger);
            if (!larger) { free(line); break; }
            lines = larger;
        }
        lines[count++] = line;
    }
    for (size_t i = count; i-- > 0;) { puts(lines[i]); free(lines[i]); }
    free(lines);
    return 0;
}
