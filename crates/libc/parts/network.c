/* Addresses of the Internet as text. */
#include "library.h"

enum { AF_INET = 2, AF_INET6 = 10 };

static int digit_of(char c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* Four numbers below 256, without leading zeros. */
static int parse4(const char *text, byte *to)
{
  for (int part = 0; part < 4; part++) {
    int number = 0, digits = 0;
    for (; digit_of(*text) < 10; text++, digits++) {
      if (digits > 0 && number == 0) return 0;
      number = number * 10 + digit_of(*text);
      if (number > 255) return 0;
    }
    if (digits == 0) return 0;
    to[part] = (byte)number;
    if (*text != (part < 3 ? '.' : 0)) return 0;
    text++;
  }
  return 1;
}

static int parse6(const char *text, byte *to)
{
  byte made[16] = {0};
  int used = 0, gap = -1;
  if (*text == ':' && *++text != ':') return 0;
  const char *part = text;
  int digits = 0;
  unsigned number = 0;
  for (;; text++) {
    if (digit_of(*text) < 16) {
      number = number << 4 | (unsigned)digit_of(*text);
      if (++digits > 4) return 0;
    } else if (*text == ':') {
      part = text + 1;
      if (digits == 0) {
        if (gap >= 0) return 0;
        gap = used;
        continue;
      }
      if (text[1] == 0 || used + 2 > 16) return 0;
      made[used++] = (byte)(number >> 8);
      made[used++] = (byte)number;
      digits = 0;
      number = 0;
    } else if (*text == '.' && used + 4 <= 16 && digits > 0) {
      if (!parse4(part, made + used)) return 0;
      used += 4;
      digits = 0;
      break;
    } else if (*text == 0) {
      break;
    } else {
      return 0;
    }
  }
  if (digits > 0) {
    if (used + 2 > 16) return 0;
    made[used++] = (byte)(number >> 8);
    made[used++] = (byte)number;
  }
  if (gap >= 0) {
    if (used == 16) return 0;
    int behind = used - gap;
    for (int i = 1; i <= behind; i++) {
      made[16 - i] = made[gap + behind - i];
      made[gap + behind - i] = 0;
    }
    used = 16;
  }
  if (used != 16) return 0;
  for (int i = 0; i < 16; i++) to[i] = made[i];
  return 1;
}

int inet_pton(int family, const char *restrict text, void *restrict to)
{
  byte made[4];
  if (family == AF_INET6) return parse6(text, to);
  if (family != AF_INET) {
    errno = EAFNOSUPPORT;
    return -1;
  }
  if (!parse4(text, made)) return 0;
  for (int i = 0; i < 4; i++) ((byte *)to)[i] = made[i];
  return 1;
}

static char *put_number(char *to, unsigned number, unsigned base)
{
  char digits[8];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number);
  while (count) *to++ = digits[--count];
  return to;
}

static char *show4(const byte *from, char *to)
{
  for (int i = 0; i < 4; i++) {
    if (i) *to++ = '.';
    to = put_number(to, from[i], 10);
  }
  return to;
}

static char *show6(const byte *from, char *to)
{
  unsigned words[8];
  int best = -1, longest = 0;
  for (int i = 0; i < 8; i++) words[i] = (unsigned)from[2 * i] << 8 | from[2 * i + 1];
  for (int i = 0; i < 8; i++) {
    int n = 0;
    while (i + n < 8 && !words[i + n]) n++;
    if (n > longest && n > 1) {
      longest = n;
      best = i;
    }
  }
  for (int i = 0; i < 8; i++) {
    if (best >= 0 && i >= best && i < best + longest) {
      if (i == best) *to++ = ':';
      continue;
    }
    if (i) *to++ = ':';
    if (i == 6 && best == 0 && (longest == 6 || longest == 7 && words[7] != 1 || longest == 5 && words[5] == 0xffff))
      return show4(from + 12, to);
    to = put_number(to, words[i], 16);
  }
  if (best >= 0 && best + longest == 8) *to++ = ':';
  return to;
}

const char *inet_ntop(int family, const void *restrict from, char *restrict to, unsigned size)
{
  char text[48];
  if (family != AF_INET && family != AF_INET6) {
    errno = EAFNOSUPPORT;
    return NULL;
  }
  char *end = family == AF_INET ? show4(from, text) : show6(from, text);
  *end = 0;
  if ((unsigned)(end - text) >= size) {
    errno = ENOSPC;
    return NULL;
  }
  for (char *c = text; c <= end; c++) to[c - text] = *c;
  return to;
}

/* A number in a base that its start tells; none, and nothing is taken, if there is none. */
static const char *take_part(const char *text, unsigned *number)
{
  unsigned base = 10, made = 0;
  const char *first = text;
  if (*text == '0') {
    base = 8;
    if (text[1] == 'x' || text[1] == 'X') {
      base = 16;
      text += 2;
      if (digit_of(*text) >= 16) return NULL;
    }
  }
  for (; digit_of(*text) < (int)base; text++) {
    if (made > (~0u - (unsigned)digit_of(*text)) / base) return NULL;
    made = made * base + (unsigned)digit_of(*text);
  }
  *number = made;
  return text == first ? NULL : text;
}

int inet_aton(const char *text, unsigned *to)
{
  unsigned parts[4], count = 0;
  for (;;) {
    if (!(text = take_part(text, &parts[count]))) return 0;
    count++;
    if (*text != '.' || count == 4) break;
    text++;
  }
  if (*text && *text != ' ' && !(*text >= '\t' && *text <= '\r')) return 0;
  unsigned address = parts[count - 1];
  if (count > 1 && address >> (8 * (5 - count))) return 0;
  for (unsigned i = 0; i + 1 < count; i++) {
    if (parts[i] > 255) return 0;
    address |= parts[i] << (24 - 8 * i);
  }
  if (to) *to = address >> 24 | (address >> 8 & 0xff00) | (address << 8 & 0xff0000) | address << 24;
  return 1;
}

unsigned inet_addr(const char *text)
{
  unsigned address;
  return inet_aton(text, &address) ? address : ~0u;
}

unsigned htonl(unsigned n) { return n >> 24 | (n >> 8 & 0xff00) | (n << 8 & 0xff0000) | n << 24; }
unsigned ntohl(unsigned n) { return htonl(n); }
unsigned short htons(unsigned short n) { return (unsigned short)(n >> 8 | n << 8); }
unsigned short ntohs(unsigned short n) { return htons(n); }

struct in_addr { unsigned address; };

char *inet_ntoa(struct in_addr address)
{
  static char text[16];
  *show4((const byte *)&address, text) = 0;
  return text;
}
