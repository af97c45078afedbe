/* Waiting for descriptors, addresses of sockets, lists of areas. */
#include "library.h"

int any_descriptor(void) __asm__("any descriptor");
int any_status(void) __asm__("any status");
void any_bytes(void *, size_t) __asm__("the kernel");
void any_text(char *, size_t) __asm__("the C library");
void look(const void *, size_t) __asm__("the system");
size_t strlen(const char *);

enum { WORD = 8 * sizeof(long), SETS = 1024, EFAULT = 14 };
typedef struct { unsigned long bits[SETS / WORD]; } fd_set;
struct timeval { long seconds, parts; };

/* Some of the members of a set stay. */
static int some_of(fd_set *set, int count)
{
  int left = 0;
  for (int at = 0; set && at * WORD < count; at++) {
    unsigned long stays = set->bits[at] & any_number();
    set->bits[at] = stays;
    for (; stays; stays &= stays - 1) left++;
  }
  return left;
}

int select(int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others, struct timeval *restrict limit)
{
  if (count < 0 || count > SETS) unusual_argument();
  /* Linux stores what is left of the time. */
  if (limit) {
    look(limit, sizeof *limit);
    any_bytes(limit, sizeof *limit);
  }
  if (any_status()) return -1;
  int ready = some_of(reads, count);
  ready += some_of(writes, count);
  return ready + some_of(others, count);
}

struct pollfd { int fd; short events, revents; };
enum { POLLERR = 8, POLLHUP = 16, POLLNVAL = 32 };

int poll(struct pollfd *list, unsigned long count, int limit)
{
  (void)limit;
  if (any_status()) return -1;
  int ready = 0;
  for (unsigned long i = 0; i < count; i++) {
    short got = 0;
    if (list[i].fd >= 0) got = (short)((list[i].events | POLLERR | POLLHUP | POLLNVAL) & (short)any_number());
    list[i].revents = got;
    if (got) ready++;
  }
  return ready;
}

/* An address of any length is stored, as far as there is room for it. */
enum { LONGEST = 128 };
static void store_address(void *address, unsigned *room)
{
  if (!address) return;
  unsigned length = (unsigned)(any_number() % (LONGEST + 1));
  any_bytes(address, *room < length ? *room : length);
  *room = length;
}

int accept(int descriptor, void *restrict address, unsigned *restrict room)
{
  (void)descriptor;
  int made = any_descriptor();
  if (made < 0) any_status();
  else store_address(address, room);
  return made;
}

int accept4(int descriptor, void *restrict address, unsigned *restrict room, int flags)
{
  (void)flags;
  return accept(descriptor, address, room);
}

int getsockname(int descriptor, void *restrict address, unsigned *restrict room)
{
  (void)descriptor;
  if (any_status()) return -1;
  store_address(address, room);
  return 0;
}

int getpeername(int descriptor, void *restrict address, unsigned *restrict room)
{
  return getsockname(descriptor, address, room);
}

int getsockopt(int descriptor, int level, int name, void *restrict value, unsigned *restrict room)
{
  (void)descriptor;
  (void)level;
  (void)name;
  if (any_status()) return -1;
  unsigned length = (unsigned)(any_number() % (*room + 1UL));
  any_bytes(value, length);
  *room = length;
  return 0;
}

ssize_t read_some(int, void *, size_t, int) __asm__("recv");
ssize_t recvfrom(int descriptor, void *restrict area, size_t size, int flags, void *restrict address, unsigned *restrict room)
{
  ssize_t count = read_some(descriptor, area, size, flags);
  if (count >= 0 && address) store_address(address, room);
  return count;
}

struct iovec { void *base; size_t size; };
enum { VECTORS = 1024 };

ssize_t writev(int descriptor, const struct iovec *list, int count)
{
  (void)descriptor;
  size_t all = 0;
  if (count < 0 || count > VECTORS) {
    errno = EINVAL;
    return -1;
  }
  for (int i = 0; i < count; i++) {
    look(list[i].base, list[i].size);
    all += list[i].size;
  }
  if (any_status()) return -1;
  size_t some = any_number();
  return (ssize_t)(some < all ? some : all);
}

ssize_t readv(int descriptor, const struct iovec *list, int count)
{
  (void)descriptor;
  size_t all = 0;
  if (count < 0 || count > VECTORS) {
    errno = EINVAL;
    return -1;
  }
  if (any_status()) return -1;
  size_t some = any_number();
  for (int i = 0; i < count; i++) {
    any_bytes(list[i].base, list[i].size);
    all += list[i].size;
  }
  return (ssize_t)(some < all ? some : all);
}

/* netdb.h: any addresses. An entry and its address are one block. */
struct addrinfo {
  int flags, family, kind, protocol;
  unsigned length;
  void *address;
  char *name;
  struct addrinfo *next;
};
struct found { struct addrinfo info; char address[LONGEST]; };
enum { EAI_MEMORY = -10, ASKED_FOR_NAME = 2, NAME = 256 };

void freeaddrinfo(struct addrinfo *list)
{
  while (list) {
    struct addrinfo *next = list->next;
    free(list->name);
    free(list);
    list = next;
  }
}

int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict result)
{
  if (node) strlen(node);
  if (service) strlen(service);
  int flags = 0, family = 0, kind = 0, protocol = 0;
  if (hints) {
    flags = hints->flags;
    family = hints->family;
    kind = hints->kind;
    protocol = hints->protocol;
  }
  size_t failure = any_number() % 12;
  if (failure) {
    if (failure == 11) any_status();
    return -(int)failure;
  }
  struct addrinfo *list = NULL;
  do {
    struct found *made = malloc(sizeof *made);
    if (!made) {
      freeaddrinfo(list);
      return EAI_MEMORY;
    }
    made->info.flags = flags;
    made->info.family = family ? family : (any_number() ? 2 : 10);
    made->info.kind = kind ? kind : (int)(any_number() % 3 + 1);
    made->info.protocol = protocol ? protocol : (int)(any_number() % 256);
    any_bytes(made->address, LONGEST);
    *(unsigned short *)made->address = (unsigned short)made->info.family;
    made->info.address = made->address;
    made->info.length = made->info.family == 2 ? 16 : 28;
    made->info.name = NULL;
    made->info.next = list;
    list = &made->info;
  } while (any_number());
  if (flags & ASKED_FOR_NAME) {
    list->name = malloc(NAME);
    if (list->name) any_text(list->name, NAME);
  }
  *result = list;
  return 0;
}

int getnameinfo(const void *restrict address, unsigned length, char *restrict host, unsigned host_size, char *restrict service,
                unsigned service_size, int flags)
{
  (void)flags;
  look(address, length);
  size_t failure = any_number() % 13;
  if (failure) return -(int)failure;
  if (host && host_size) any_text(host, host_size);
  if (service && service_size) any_text(service, service_size);
  return 0;
}

const char *gai_strerror(int number)
{
  switch (number) {
  case -1: return "Bad value for ai_flags";
  case -2: return "Name or service not known";
  case -3: return "Temporary failure in name resolution";
  case -4: return "Non-recoverable failure in name resolution";
  case -5: return "No address associated with hostname";
  case -6: return "ai_family not supported";
  case -7: return "ai_socktype not supported";
  case -8: return "Servname not supported for ai_socktype";
  case -9: return "Address family for hostname not supported";
  case -10: return "Memory allocation failure";
  case -11: return "System error";
  default: return "Unknown error";
  }
}
