/* The texts of errors in the locale of C. */
#include "library.h"

/* A text that is not known here: of another locale, or with a number. */
char *unknown_text(int number) __asm__("the text of an unknown error");
void any_text(char *, size_t) __asm__("the C library");
/* An engine that does not know the number takes any text instead of looking at all of them. */
int is_known(long number) __asm__("whether a number is known");

static const char *const TEXTS[] = {
  "Success",
  "Operation not permitted",
  "No such file or directory",
  "No such process",
  "Interrupted system call",
  "Input/output error",
  "No such device or address",
  "Argument list too long",
  "Exec format error",
  "Bad file descriptor",
  "No child processes",
  "Resource temporarily unavailable",
  "Cannot allocate memory",
  "Permission denied",
  "Bad address",
  "Block device required",
  "Device or resource busy",
  "File exists",
  "Invalid cross-device link",
  "No such device",
  "Not a directory",
  "Is a directory",
  "Invalid argument",
  "Too many open files in system",
  "Too many open files",
  "Inappropriate ioctl for device",
  "Text file busy",
  "File too large",
  "No space left on device",
  "Illegal seek",
  "Read-only file system",
  "Too many links",
  "Broken pipe",
  "Numerical argument out of domain",
  "Numerical result out of range",
  "Resource deadlock avoided",
  "File name too long",
  "No locks available",
  "Function not implemented",
  "Directory not empty",
  "Too many levels of symbolic links",
  NULL,
  "No message of desired type",
  "Identifier removed",
  "Channel number out of range",
  "Level 2 not synchronized",
  "Level 3 halted",
  "Level 3 reset",
  "Link number out of range",
  "Protocol driver not attached",
  "No CSI structure available",
  "Level 2 halted",
  "Invalid exchange",
  "Invalid request descriptor",
  "Exchange full",
  "No anode",
  "Invalid request code",
  "Invalid slot",
  NULL,
  "Bad font file format",
  "Device not a stream",
  "No data available",
  "Timer expired",
  "Out of streams resources",
  "Machine is not on the network",
  "Package not installed",
  "Object is remote",
  "Link has been severed",
  "Advertise error",
  "Srmount error",
  "Communication error on send",
  "Protocol error",
  "Multihop attempted",
  "RFS specific error",
  "Bad message",
  "Value too large for defined data type",
  "Name not unique on network",
  "File descriptor in bad state",
  "Remote address changed",
  "Can not access a needed shared library",
  "Accessing a corrupted shared library",
  ".lib section in a.out corrupted",
  "Attempting to link in too many shared libraries",
  "Cannot exec a shared library directly",
  "Invalid or incomplete multibyte or wide character",
  "Interrupted system call should be restarted",
  "Streams pipe error",
  "Too many users",
  "Socket operation on non-socket",
  "Destination address required",
  "Message too long",
  "Protocol wrong type for socket",
  "Protocol not available",
  "Protocol not supported",
  "Socket type not supported",
  "Operation not supported",
  "Protocol family not supported",
  "Address family not supported by protocol",
  "Address already in use",
  "Cannot assign requested address",
  "Network is down",
  "Network is unreachable",
  "Network dropped connection on reset",
  "Software caused connection abort",
  "Connection reset by peer",
  "No buffer space available",
  "Transport endpoint is already connected",
  "Transport endpoint is not connected",
  "Cannot send after transport endpoint shutdown",
  "Too many references: cannot splice",
  "Connection timed out",
  "Connection refused",
  "Host is down",
  "No route to host",
  "Operation already in progress",
  "Operation now in progress",
  "Stale file handle",
  "Structure needs cleaning",
  "Not a XENIX named type file",
  "No XENIX semaphores available",
  "Is a named type file",
  "Remote I/O error",
  "Disk quota exceeded",
  "No medium found",
  "Wrong medium type",
  "Operation canceled",
  "Required key not available",
  "Key has expired",
  "Key has been revoked",
  "Key was rejected by service",
  "Owner died",
  "State not recoverable",
  "Operation not possible due to RF-kill",
  "Memory page has hardware error",
};
enum { COUNT = sizeof TEXTS / sizeof *TEXTS };

char *strerror(int number)
{
  int known = is_known(number) && number >= 0 && number < COUNT && TEXTS[number];
  if (!known || library_locale >> MESSAGES & 1) return unknown_text(number);
  return (char *)TEXTS[number];
}

/* The text, cut off where there is no more room; glibc says so only of texts that it has. */
int __xpg_strerror_r(int number, char *area, size_t size)
{
  static const char UNKNOWN[] = "Unknown error ";
  char made[sizeof UNKNOWN + 12];
  if (!is_known(number)) {
    size_t status = any_number() % 3;
    if (size) any_text(area, size);
    return status == 0 ? 0 : status == 1 ? EINVAL : ERANGE;
  }
  int known = number >= 0 && number < COUNT && TEXTS[number];
  IN_C(MESSAGES);
  const char *text = known ? TEXTS[number] : made;
  if (!known) {
    unsigned rest = number < 0 ? -(unsigned)number : (unsigned)number;
    char digits[12];
    size_t count = 0, at = 0;
    do {
      digits[count++] = (char)('0' + rest % 10);
      rest /= 10;
    } while (rest);
    for (; UNKNOWN[at]; at++) made[at] = UNKNOWN[at];
    if (number < 0) made[at++] = '-';
    while (count) made[at++] = digits[--count];
    made[at] = 0;
  }
  size_t length = 0;
  while (text[length]) length++;
  if (size) {
    size_t kept = length < size ? length : size - 1;
    for (size_t i = 0; i < kept; i++) area[i] = text[i];
    area[kept] = 0;
  }
  if (!known) return EINVAL;
  return length < size ? 0 : ERANGE;
}

/* GNU's: the text itself, or the area with one that is made. */
char *strerror_r(int number, char *area, size_t size)
{
  if (!is_known(number) && any_number()) return unknown_text(number);
  int known = is_known(number) && number >= 0 && number < COUNT && TEXTS[number];
  IN_C(MESSAGES);
  if (known) return (char *)TEXTS[number];
  __xpg_strerror_r(number, area, size);
  return area;
}
