// case: libc/names-that-match
// models: fnmatch, tmpnam, inet_addr, strptime and fgetpos
// target: lp64
// property: assertions
// verdict: safe
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void) {
  struct tm tm = {0};
  assert(fnmatch("*.[ch]", "main.c", 0) == 0);
  assert(fnmatch("*", "a/b", FNM_PATHNAME) == FNM_NOMATCH);
  assert(fnmatch("[[:digit:]]*", "x1", 0) == FNM_NOMATCH);
  assert(inet_addr("127.0.0.1") == htonl(0x7f000001));
  assert(*strptime("2024-02-29 x", "%Y-%m-%d", &tm) == ' ' && tm.tm_yday == 59 && tm.tm_wday == 4);
  return 0;
}
