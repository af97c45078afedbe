/* A stream that cannot be opened again. */
#include "library.h"

typedef struct stream FILE;
extern FILE *stdin, *stdout, *stderr;
FILE *reopened(const char *, const char *, FILE *) __asm__("freopen itself");
void lost_stream(void) __asm__("a stream that could not be opened again");

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
  FILE *made = reopened(path, mode, stream);
  /* The stream is closed and its memory is there: whether it may be closed again, or is lost, is left open. */
  if (!made && stream != stdin && stream != stdout && stream != stderr) lost_stream();
  return made;
}
