/* err.h and error.h: messages on the standard error, and the end of the program. */
#include "library.h"

typedef struct stream FILE;
typedef __builtin_va_list va_list;
extern FILE *stdout, *stderr;
int fprintf(FILE *, const char *, ...);
int vfprintf(FILE *, const char *, va_list);
int fflush(FILE *);
_Noreturn void exit(int);
char *strerror(int);
unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void said(int number, const char *format, va_list list)
{
  if (format) vfprintf(stderr, format, list);
  if (number) fprintf(stderr, format ? ": %s\n" : "%s\n", strerror(number));
  else fprintf(stderr, "\n");
}

void vwarn(const char *format, va_list list) { said(errno, format, list); }
void vwarnx(const char *format, va_list list) { said(0, format, list); }

_Noreturn void verr(int status, const char *format, va_list list)
{
  said(errno, format, list);
  exit(status);
}

_Noreturn void verrx(int status, const char *format, va_list list)
{
  said(0, format, list);
  exit(status);
}

void warn(const char *format, ...)
{
  va_list list;
  __builtin_va_start(list, format);
  said(errno, format, list);
  __builtin_va_end(list);
}

void warnx(const char *format, ...)
{
  va_list list;
  __builtin_va_start(list, format);
  said(0, format, list);
  __builtin_va_end(list);
}

_Noreturn void err(int status, const char *format, ...)
{
  va_list list;
  __builtin_va_start(list, format);
  said(errno, format, list);
  exit(status);
}

_Noreturn void errx(int status, const char *format, ...)
{
  va_list list;
  __builtin_va_start(list, format);
  said(0, format, list);
  exit(status);
}

/* The name of the program, which is not known here, would stand before the message. */
static void told(int status, int number, const char *format, va_list list)
{
  fflush(stdout);
  if (error_print_progname) error_print_progname();
  error_message_count++;
  vfprintf(stderr, format, list);
  if (number) fprintf(stderr, ": %s\n", strerror(number));
  else fprintf(stderr, "\n");
  if (status) exit(status);
}

void error(int status, int number, const char *format, ...)
{
  va_list list;
  __builtin_va_start(list, format);
  told(status, number, format, list);
  __builtin_va_end(list);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
  va_list list;
  __builtin_va_start(list, format);
  if (error_one_per_line) unusual_argument();
  if (file) fprintf(stderr, "%s:%u: ", file, line);
  told(status, number, format, list);
  __builtin_va_end(list);
}
