/* The locale: that of C at the start. What another one is like is not followed. */
#include "library.h"

unsigned library_locale;

/* Null, or any name. */
char *environment_locale(int category, const char *name) __asm__("a locale of the environment");

static int is_that_of_c(const char *name)
{
  static const char POSIX[] = "POSIX";
  if (name[0] == 'C' && !name[1]) return 1;
  size_t at = 0;
  while (name[at] && name[at] == POSIX[at]) at++;
  return name[at] == POSIX[at];
}

static unsigned bits_of(int category) { return category == ALL ? 0x1fbf : 1u << category; }

char *setlocale(int category, const char *name)
{
  if (category < 0 || category >= CATEGORIES) {
    errno = EINVAL;
    return NULL;
  }
  unsigned bits = bits_of(category);
  if (name && is_that_of_c(name)) library_locale &= ~bits;
  if (!name || is_that_of_c(name))
    return library_locale & bits ? environment_locale(category, name) : (char *)"C";
  char *made = environment_locale(category, name);
  if (made) library_locale |= bits;
  return made;
}

struct lconv {
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
  char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
  char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space;
  char p_sign_posn, n_sign_posn, int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes;
  char int_n_sep_by_space, int_p_sign_posn, int_n_sign_posn;
};
static struct lconv conventions;

struct lconv *localeconv(void)
{
  IN_C(NUMERIC);
  IN_C(MONETARY);
  conventions.decimal_point = (char *)".";
  conventions.thousands_sep = conventions.grouping = conventions.int_curr_symbol = (char *)"";
  conventions.currency_symbol = conventions.mon_decimal_point = conventions.mon_thousands_sep = (char *)"";
  conventions.mon_grouping = conventions.positive_sign = conventions.negative_sign = (char *)"";
  conventions.int_frac_digits = conventions.frac_digits = conventions.p_cs_precedes = 127;
  conventions.p_sep_by_space = conventions.n_cs_precedes = conventions.n_sep_by_space = 127;
  conventions.p_sign_posn = conventions.n_sign_posn = conventions.int_p_cs_precedes = 127;
  conventions.int_p_sep_by_space = conventions.int_n_cs_precedes = conventions.int_n_sep_by_space = 127;
  conventions.int_p_sign_posn = conventions.int_n_sign_posn = 127;
  return &conventions;
}

size_t __ctype_get_mb_cur_max(void)
{
  IN_C(CTYPE);
  return 1;
}
