// case: libc/tokens
// models: strtok cuts a string that can be written
// target: lp64
// property: memsafety
// verdict: safe
#include <string.h>
int main(void) {
  char text[] = "one,two,three";
  int count = 0;
  for (char *token = strtok(text, ","); token; token = strtok(NULL, ","))
    count += strlen(token) > 3;
  return count;
}
