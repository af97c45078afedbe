/* pthread.h in a program of one thread. What starts another one is not modelled. */
#include "library.h"

enum {
  EPERM = 1, EBUSY = 16, EDEADLK = 35, NORMAL = 0, RECURSIVE = 1, CHECKED = 2, KINDS = 3, KEYS = 1024, EAGAIN = 11, ETIMEDOUT = 110
};

/* As glibc has it; the size is 40 or 24. */
typedef struct {
  int lock;
  unsigned count;
  int owner;
#if __SIZEOF_POINTER__ == 8
  unsigned users;
  int kind;
  char rest[20];
#else
  int kind;
  unsigned users;
  char rest[4];
#endif
} mutex;

void waits_for_ever(int) __asm__("__VERIFIER_assume");

int pthread_mutexattr_init(int *kind)
{
  *kind = NORMAL;
  return 0;
}

int pthread_mutexattr_destroy(int *kind)
{
  (void)kind;
  return 0;
}

int pthread_mutexattr_settype(int *kind, int wanted)
{
  if (wanted < 0 || wanted > KINDS) return EINVAL;
  *kind = wanted;
  return 0;
}

int pthread_mutexattr_gettype(const int *kind, int *wanted)
{
  *wanted = *kind;
  return 0;
}

int pthread_mutex_init(mutex *m, const int *kind)
{
  __builtin_memset(m, 0, sizeof *m);
  if (kind) m->kind = *kind;
  return 0;
}

int pthread_mutex_destroy(mutex *m)
{
  if (m->users) return EBUSY;
  m->kind = -1;
  return 0;
}

int pthread_mutex_trylock(mutex *m)
{
  if (m->kind < 0 || m->kind > KINDS) unusual_argument();
  if (m->lock && m->kind != RECURSIVE) return EBUSY;
  m->lock = 1;
  m->count++;
  m->users = 1;
  return 0;
}

int pthread_mutex_lock(mutex *m)
{
  int status = pthread_mutex_trylock(m);
  if (!status) return 0;
  if (m->kind == CHECKED) return EDEADLK;
  waits_for_ever(0);
  return status;
}

int pthread_mutex_unlock(mutex *m)
{
  if (!m->lock) {
    if (m->kind == RECURSIVE || m->kind == CHECKED) return EPERM;
    unusual_argument();
  }
  if (--m->count == 0) {
    m->lock = 0;
    m->users = 0;
  }
  return 0;
}

/* 48 bytes, of which nothing matters here. */
typedef struct { long long parts[6]; } condition;

int pthread_cond_init(condition *c, const int *attributes)
{
  (void)attributes;
  __builtin_memset(c, 0, sizeof *c);
  return 0;
}

int pthread_cond_destroy(condition *c)
{
  (void)c;
  return 0;
}

int pthread_cond_signal(condition *c)
{
  (void)*(volatile char *)c;
  return 0;
}

int pthread_cond_broadcast(condition *c) { return pthread_cond_signal(c); }

/* Nobody else can wake this thread; it may wake without a reason. */
int pthread_cond_wait(condition *c, mutex *m)
{
  if (!m->lock) unusual_argument();
  return pthread_cond_signal(c);
}

int pthread_cond_timedwait(condition *c, mutex *m, const void *until)
{
  if (!m->lock || !until) unusual_argument();
  pthread_cond_signal(c);
  return any_number() ? ETIMEDOUT : 0;
}

int pthread_once(int *once, void (*routine)(void))
{
  if (*once) return 0;
  routine();
  *once = 2;
  return 0;
}

int pthread_equal(unsigned long a, unsigned long b) { return a == b; }

static void *values[KEYS];
static unsigned keys;

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
  (void)destructor;
  if (keys == KEYS) return EAGAIN;
  *key = keys++;
  return 0;
}

int pthread_key_delete(unsigned key)
{
  if (key >= keys) return EINVAL;
  values[key] = NULL;
  return 0;
}

int pthread_setspecific(unsigned key, const void *value)
{
  if (key >= keys) return EINVAL;
  values[key] = (void *)value;
  return 0;
}

void *pthread_getspecific(unsigned key) { return key < keys ? values[key] : NULL; }
