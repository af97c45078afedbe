/* Users, groups and names of the system: any. */
#include "library.h"

char *account_name(void) __asm__("the name of an account");
char *account_password(void) __asm__("the password of an account");
char *account_person(void) __asm__("the person of an account");
char *account_home(void) __asm__("the home of an account");
char *account_shell(void) __asm__("the shell of an account");
char *group_name(void) __asm__("the name of a group");
int any_status(void) __asm__("any status");
void any_text(char *, size_t) __asm__("the C library");
size_t strlen(const char *);

struct passwd {
  char *pw_name, *pw_passwd;
  unsigned pw_uid, pw_gid;
  char *pw_gecos, *pw_dir, *pw_shell;
};
struct group {
  char *gr_name, *gr_passwd;
  unsigned gr_gid;
  char **gr_mem;
};
static struct passwd account;
static struct group group;
static char *members[1];

/* The functions may say that there is no such entry without an error, or fail. */
static int is_missing(void)
{
  if (!any_number()) return 0;
  any_status();
  return 1;
}

static struct passwd *any_account(unsigned user)
{
  account.pw_name = account_name();
  account.pw_passwd = account_password();
  account.pw_uid = user;
  account.pw_gid = (unsigned)any_number();
  account.pw_gecos = account_person();
  account.pw_dir = account_home();
  account.pw_shell = account_shell();
  return &account;
}

struct passwd *getpwuid(unsigned user) { return is_missing() ? NULL : any_account(user); }
struct passwd *getpwent(void) { return is_missing() ? NULL : any_account((unsigned)any_number()); }

struct passwd *getpwnam(const char *name)
{
  strlen(name);
  return is_missing() ? NULL : any_account((unsigned)any_number());
}

/* Groups with members are not followed. */
static struct group *any_group(unsigned number)
{
  if (any_number()) unusual_argument();
  group.gr_name = group_name();
  group.gr_passwd = account_password();
  group.gr_gid = number;
  group.gr_mem = members;
  return &group;
}

struct group *getgrgid(unsigned number) { return is_missing() ? NULL : any_group(number); }
struct group *getgrent(void) { return is_missing() ? NULL : any_group((unsigned)any_number()); }

struct group *getgrnam(const char *name)
{
  strlen(name);
  return is_missing() ? NULL : any_group((unsigned)any_number());
}

int getgroups(int size, unsigned *list)
{
  int count = (int)(any_number() % 65537) - 1;
  if (count > 0 && size) {
    if (count > size) {
      errno = EINVAL;
      return -1;
    }
    for (int i = 0; i < count; i++) list[i] = (unsigned)any_number();
  }
  return count;
}

enum { FIELD = 65 };
int uname(char *names)
{
  for (int i = 0; i < 6; i++) {
    any_text(names + i * FIELD, FIELD);
    names[i * FIELD + FIELD - 1] = 0;
  }
  return 0;
}
