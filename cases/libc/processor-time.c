// case: libc/processor-time
// models: the processor time does not become less
// target: lp64
// property: assertions
// verdict: safe
#include <assert.h>
#include <time.h>

int main(void) {
  clock_t start = clock();
  clock_t end = clock();
  assert(end >= start);
  return 0;
}
