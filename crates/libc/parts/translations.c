/* libintl.h and langinfo.h in the locale of C, where a text is its own translation. */
#include "library.h"

char *library_text(void) __asm__("a text of the library");
size_t strlen(const char *);
extern unsigned library_locale;

/* In another locale it may have one. What that is like is not followed. */
static char *translated(const char *text)
{
  if ((library_locale >> MESSAGES & 1) && any_number()) other_locale();
  return (char *)text;
}

char *gettext(const char *text) { return translated(text); }

char *dgettext(const char *domain, const char *text)
{
  if (domain) strlen(domain);
  return translated(text);
}

char *dcgettext(const char *domain, const char *text, int category)
{
  (void)category;
  return dgettext(domain, text);
}

char *ngettext(const char *one, const char *many, unsigned long count) { return translated(count == 1 ? one : many); }

char *dngettext(const char *domain, const char *one, const char *many, unsigned long count)
{
  return dgettext(domain, count == 1 ? one : many);
}

char *textdomain(const char *domain)
{
  if (domain) strlen(domain);
  return any_number() ? library_text() : NULL;
}

char *bindtextdomain(const char *domain, const char *folder)
{
  if (domain) strlen(domain);
  if (folder) strlen(folder);
  return any_number() ? library_text() : NULL;
}

char *bind_textdomain_codeset(const char *domain, const char *code)
{
  return bindtextdomain(domain, code);
}

static const char *const TEXTS[] = {
  "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
  "Saturday", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "January", "February",
  "March", "April", "May", "June", "July", "August", "September", "October", "November", "December", "AM", "PM",
  "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p",
};

char *nl_langinfo(int item)
{
  int category = item >> 16, at = item & 0xffff;
  if (category < 0 || category > MESSAGES) return (char *)"";
  IN_C(category);
  if (category == TIME && at < (int)(sizeof TEXTS / sizeof *TEXTS)) return (char *)TEXTS[at];
  if (category == CTYPE && at == 14) return (char *)"ANSI_X3.4-1968";
  if (category == NUMERIC && at == 0) return (char *)".";
  if (category == MESSAGES && at == 0) return (char *)"^[yY]";
  if (category == MESSAGES && at == 1) return (char *)"^[nN]";
  if (category == MONETARY && at == 15) return (char *)"-";
  if ((category == NUMERIC && at == 1) || (category == MESSAGES && (at == 2 || at == 3))) return (char *)"";
  unusual_argument();
  return NULL;
}
