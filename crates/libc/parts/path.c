/* Parts of a path, as POSIX has them: what follows is cut off. */
#include "library.h"

static char dot[] = ".";

char *dirname(char *path)
{
  size_t end = 0;
  if (!path || !*path) return dot;
  while (path[end]) end++;
  while (end > 0 && path[end - 1] == '/') end--;
  /* The last part. */
  while (end > 0 && path[end - 1] != '/') end--;
  if (end == 0 && path[0] != '/') return dot;
  while (end > 0 && path[end - 1] == '/') end--;
  if (end == 0) {
    /* Only slashes are left: one, or two if there are exactly two at the start. */
    size_t slashes = 0;
    while (path[slashes] == '/') slashes++;
    end = slashes == 2 ? 2 : 1;
  }
  path[end] = 0;
  return path;
}

char *__xpg_basename(char *path)
{
  if (!path || !*path) return dot;
  size_t end = 0;
  while (path[end]) end++;
  size_t last = end;
  while (end > 0 && path[end - 1] == '/') end--;
  if (end == 0) return path + last - 1;
  if (end < last) path[end] = 0;
  while (end > 0 && path[end - 1] != '/') end--;
  return path + end;
}
