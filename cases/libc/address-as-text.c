// case: libc/address-as-text
// models: inet_pton reads an address, inet_ntop writes it
// target: lp64
// property: assertions
// verdict: safe
#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

int main(void) {
  unsigned char bytes[16];
  char text[46];
  assert(inet_pton(AF_INET, "192.0.2.7", bytes) == 1 && bytes[3] == 7);
  assert(inet_pton(AF_INET6, "fe80::1:0:0:2", bytes) == 1);
  assert(strcmp(inet_ntop(AF_INET6, bytes, text, sizeof text), "fe80::1:0:0:2") == 0);
  assert(inet_pton(AF_INET, "1.2.3", bytes) == 0);
  assert(inet_ntop(AF_INET, bytes, text, 4) == NULL);
  return 0;
}
