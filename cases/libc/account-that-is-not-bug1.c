// case: libc/account-that-is-not-bug1
// models: getpwnam
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 14

#include <pwd.h>
#include <stdio.h>

int main(void)
{
    struct passwd *account = getpwnam("guest");
    puts(account->pw_dir);
    return 0;
}
