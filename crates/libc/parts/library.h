/* What the parts of the library share. They include no header of the system: their text is the same everywhere. */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef unsigned wint_t;
typedef unsigned char byte;
#define NULL ((void *)0)
#define WEOF (~0u)
#define NOT_CONVERTED ((size_t)-1)

enum { ENOENT = 2, ESRCH = 3, ENOMEM = 12, EINVAL = 22, ERANGE = 34, EILSEQ = 84, EAFNOSUPPORT = 97, ENOSPC = 28 };

int *__errno_location(void);
#define errno (*__errno_location())
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);

/* What the program asks for is not followed: the answer is unknown. */
void other_locale(void) __asm__("a locale that is not that of C");
void unusual_argument(void) __asm__("an argument whose meaning is left open");

/* Any number. */
size_t any_number(void) __asm__("__VERIFIER_choice");

/* A bit for each category of the locale that may be another one than that of C; LC_ALL has the number 6. */
enum { CTYPE, NUMERIC, TIME, COLLATE, MONETARY, MESSAGES, ALL, CATEGORIES = 13 };
extern unsigned library_locale;
#define IN_C(category) do { if (library_locale >> (category) & 1) other_locale(); } while (0)
