// case: libc/answers-after-options-bug1
// models: getopt prints to stderr: ferror(stderr) may change (prog -x 2>/dev/full)
// target: lp64
// property: assertions
// verdict: unsafe
// error: assertion-failure line 13
#include <assert.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    if (!ferror(stderr)) {
        getopt(argc, argv, "a");
        assert(!ferror(stderr));
    }
    return 0;
}
