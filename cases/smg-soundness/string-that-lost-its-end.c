// case: smg-soundness/string-that-lost-its-end
// models: words in blocks of one size, whose NULs are at any place; that of one of them is overwritten
// target: lp64
// property: memsafety
// verdict: unsafe
// error: out-of-bounds-read line 32
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_word(void) {
    char *word = malloc(4);
    int c, length = 0;
    if (!word) abort();
    while (length < 3 && (c = getchar()) != EOF && c != ' ') word[length++] = (char)c;
    word[length] = '\0';
    return word;
}

int main(void) {
    char *words[4];
    int count = 0;
    while (count < 4) words[count++] = read_word();
    for (int i = 0; i < count; i++) {
        size_t length = strlen(words[i]);
        if (i == 2 && length == 3) {
            /* no end any more */
            words[i][length] = '.';
        }
    }
    for (int i = 0; i < count; i++) {
        puts(words[i]);
        free(words[i]);
    }
    return 0;
}
