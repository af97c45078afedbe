/* The text of a date: strftime and strptime in the locale of C. */
#include "library.h"

int is_known(long number) __asm__("whether a number is known");
void any_text(char *, size_t) __asm__("the C library");
void any_bytes(void *, size_t) __asm__("the kernel");
void look(const void *, size_t) __asm__("the system");
size_t strlen(const char *);

struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

static const char *const DAYS[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const MONTHS[] = {"January", "February", "March", "April", "May", "June", "July",
                                     "August", "September", "October", "November", "December"};

/* Where the text goes; what does not fit is only counted. */
struct sink { char *to; size_t room, used; };

static void put(struct sink *out, char c)
{
  if (out->used < out->room) out->to[out->used] = c;
  out->used++;
}

static void put_text(struct sink *out, const char *text, int most, int upper)
{
  for (int i = 0; text[i] && i != most; i++) {
    char c = text[i];
    put(out, upper && c >= 'a' && c <= 'z' ? (char)(c - 32) : c);
  }
}

/* A number of so many digits at least; the padding is 0, a space, or nothing. */
static void put_number(struct sink *out, long long number, int digits, char padding)
{
  char text[24];
  int count = 0;
  unsigned long long rest = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
  do {
    text[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (number < 0) {
    digits--;
    if (padding == '0') put(out, '-');
  }
  if (padding)
    for (int i = count; i < digits; i++) put(out, padding);
  if (number < 0 && padding != '0') put(out, '-');
  while (count) put(out, text[--count]);
}

static int is_leap(long long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/* Days from Monday of week 1 of ISO 8601 on. */
static int iso_days(int yday, int wday)
{
  int big = 3 * 7;
  return yday - (yday - wday + 4 + big * 7) % 7 + 4 - 1;
}

static int in_range(int value, int low, int high)
{
  if (value < low || value > high) unusual_argument();
  return value;
}

static void format(struct sink *out, const char *text, const struct tm *tm);

static int hour12(int hour) { return hour % 12 ? hour % 12 : 12; }

/* The week of ISO 8601, and the year that it belongs to. */
static int iso_week(const struct tm *tm, long long *year)
{
  int yday = in_range(tm->tm_yday, 0, 365), wday = in_range(tm->tm_wday, 0, 6);
  *year = (long long)tm->tm_year + 1900;
  int days = iso_days(yday, wday);
  if (days < 0) {
    --*year;
    days = iso_days(yday + 365 + is_leap(*year), wday);
  } else {
    int next = iso_days(yday - (365 + is_leap(*year)), wday);
    if (next >= 0) {
      ++*year;
      days = next;
    }
  }
  return days / 7 + 1;
}

static void convert(struct sink *out, char letter, char flag, const struct tm *tm)
{
  char zero = flag == '_' ? ' ' : flag == '-' ? 0 : '0';
  char space = flag == '0' ? '0' : flag == '-' ? 0 : ' ';
  int upper = flag == '^';
  long long year = (long long)tm->tm_year + 1900;
  switch (letter) {
  case 'a': put_text(out, DAYS[in_range(tm->tm_wday, 0, 6)], 3, upper); break;
  case 'A': put_text(out, DAYS[in_range(tm->tm_wday, 0, 6)], -1, upper); break;
  case 'b':
  case 'h': put_text(out, MONTHS[in_range(tm->tm_mon, 0, 11)], 3, upper); break;
  case 'B': put_text(out, MONTHS[in_range(tm->tm_mon, 0, 11)], -1, upper); break;
  case 'c': format(out, "%a %b %e %H:%M:%S %Y", tm); break;
  case 'C':
    if (year < 0 || year > 9999) unusual_argument();
    put_number(out, year / 100, 2, zero);
    break;
  case 'd': put_number(out, in_range(tm->tm_mday, 0, 99), 2, zero); break;
  case 'D':
  case 'x': format(out, "%m/%d/%y", tm); break;
  case 'e': put_number(out, in_range(tm->tm_mday, 0, 99), 2, space); break;
  case 'F': format(out, "%Y-%m-%d", tm); break;
  case 'g':
    iso_week(tm, &year);
    if (year < 0 || year > 9999) unusual_argument();
    put_number(out, year % 100, 2, zero);
    break;
  case 'G':
    iso_week(tm, &year);
    if (year < 0 || year > 9999) unusual_argument();
    put_number(out, year, 1, zero);
    break;
  case 'H': put_number(out, in_range(tm->tm_hour, 0, 99), 2, zero); break;
  case 'I': put_number(out, hour12(in_range(tm->tm_hour, 0, 23)), 2, zero); break;
  case 'j': put_number(out, in_range(tm->tm_yday, 0, 365) + 1, 3, zero); break;
  case 'k': put_number(out, in_range(tm->tm_hour, 0, 99), 2, space); break;
  case 'l': put_number(out, hour12(in_range(tm->tm_hour, 0, 23)), 2, space); break;
  case 'm': put_number(out, in_range(tm->tm_mon, -1, 98) + 1, 2, zero); break;
  case 'M': put_number(out, in_range(tm->tm_min, 0, 99), 2, zero); break;
  case 'n': put(out, '\n'); break;
  case 'p': put_text(out, in_range(tm->tm_hour, 0, 23) < 12 ? "AM" : "PM", -1, 0); break;
  case 'P': put_text(out, in_range(tm->tm_hour, 0, 23) < 12 ? "am" : "pm", -1, 0); break;
  case 'r': format(out, "%I:%M:%S %p", tm); break;
  case 'R': format(out, "%H:%M", tm); break;
  case 'S': put_number(out, in_range(tm->tm_sec, 0, 99), 2, zero); break;
  case 't': put(out, '\t'); break;
  case 'T':
  case 'X': format(out, "%H:%M:%S", tm); break;
  case 'u': put_number(out, (in_range(tm->tm_wday, 0, 6) + 6) % 7 + 1, 1, zero); break;
  case 'U': put_number(out, (in_range(tm->tm_yday, 0, 365) + 7 - in_range(tm->tm_wday, 0, 6)) / 7, 2, zero); break;
  case 'V': put_number(out, iso_week(tm, &year), 2, zero); break;
  case 'w': put_number(out, in_range(tm->tm_wday, 0, 6), 1, zero); break;
  case 'W':
    put_number(out, (in_range(tm->tm_yday, 0, 365) + 7 - (in_range(tm->tm_wday, 0, 6) + 6) % 7) / 7, 2, zero);
    break;
  case 'y':
    if (year < 0) unusual_argument();
    put_number(out, year % 100, 2, zero);
    break;
  case 'Y':
    if (year < 0) unusual_argument();
    put_number(out, year, 1, zero);
    break;
  case 'z':
    if (tm->tm_isdst >= 0) {
      long minutes = tm->tm_gmtoff / 60;
      put(out, tm->tm_gmtoff < 0 ? '-' : '+');
      if (minutes < 0) minutes = -minutes;
      put_number(out, minutes / 60 * 100 + minutes % 60, 4, '0');
    }
    break;
  case 'Z':
    /* Where the parts have no name of the zone, that of the environment is asked for. */
    if (tm->tm_isdst < 0) unusual_argument();
    if (!tm->tm_zone) unusual_argument();
    put_text(out, tm->tm_zone, -1, upper);
    break;
  case '%': put(out, '%'); break;
  default: unusual_argument();
  }
}

static void format(struct sink *out, const char *text, const struct tm *tm)
{
  for (; *text; text++) {
    if (*text != '%') {
      put(out, *text);
      continue;
    }
    char flag = 0;
    text++;
    if (*text == '_' || *text == '-' || *text == '0' || *text == '^') flag = *text++;
    if (*text == 'E' || *text == 'O') text++;
    if (*text == 0 || flag && (*text == '%' || *text == 'n' || *text == 't')) unusual_argument();
    convert(out, *text, flag, tm);
  }
}

/* An engine that does not know the parts of the date takes any text that there is room for. */
static int are_known(const struct tm *tm)
{
  return is_known(tm->tm_sec) && is_known(tm->tm_min) && is_known(tm->tm_hour) && is_known(tm->tm_mday) &&
         is_known(tm->tm_mon) && is_known(tm->tm_year) && is_known(tm->tm_wday) && is_known(tm->tm_yday);
}

size_t strftime(char *restrict to, size_t room, const char *restrict text, const struct tm *restrict tm)
{
  IN_C(TIME);
  if (!are_known(tm)) {
    strlen(text);
    look(tm, sizeof *tm);
    if (!room) return 0;
    if (any_number()) {
      any_bytes(to, room);
      return 0;
    }
    any_text(to, room);
    return strlen(to);
  }
  struct sink out = {to, room, 0};
  format(&out, text, tm);
  if (out.used >= room) return 0;
  to[out.used] = 0;
  return out.used;
}

static int same_letter(char a, char b)
{
  if (a >= 'A' && a <= 'Z') a += 32;
  if (b >= 'A' && b <= 'Z') b += 32;
  return a == b;
}

/* One of several names, long or with three letters; its number, or -1. */
static int take_name(const char **at, const char *const *names, int count)
{
  for (int i = 0; i < count; i++) {
    int n = 0;
    while (names[i][n] && same_letter((*at)[n], names[i][n])) n++;
    if (names[i][n] && n < 3) continue;
    *at += names[i][n] ? 3 : n;
    return i;
  }
  return -1;
}

static int is_space(char c) { return c == ' ' || c >= '\t' && c <= '\r'; }

static int take_number(const char **at, int digits, int low, int high, int *number)
{
  while (**at == ' ') ++*at;
  if (**at < '0' || **at > '9') return 0;
  int found = 0;
  while (digits-- > 0 && **at >= '0' && **at <= '9') found = found * 10 + *(*at)++ - '0';
  if (found < low || found > high) return 0;
  *number = found;
  return 1;
}

/* What was found that other parts are computed of. */
struct found { int century, in_century, day, month, year, yday, wday, pm, hour12; };

static const char *parse(const char *at, const char *text, struct tm *tm, struct found *found)
{
  for (; *text; text++) {
    int number = 0;
    if (is_space(*text)) {
      while (is_space(*at)) at++;
      continue;
    }
    if (*text != '%') {
      if (*at != *text) return NULL;
      at++;
      continue;
    }
    text++;
    if (*text == 'E' || *text == 'O') text++;
    switch (*text) {
    case '%':
      if (*at != '%') return NULL;
      at++;
      break;
    case 'a':
    case 'A':
      if ((number = take_name(&at, DAYS, 7)) < 0) return NULL;
      tm->tm_wday = number;
      found->wday = 1;
      break;
    case 'b':
    case 'B':
    case 'h':
      if ((number = take_name(&at, MONTHS, 12)) < 0) return NULL;
      tm->tm_mon = number;
      found->month = 1;
      break;
    case 'd':
    case 'e':
      if (!take_number(&at, 2, 1, 31, &number)) return NULL;
      tm->tm_mday = number;
      found->day = 1;
      break;
    case 'x':
    case 'D':
      if (!(at = parse(at, "%m/%d/%y", tm, found))) return NULL;
      break;
    case 'F':
      if (!(at = parse(at, "%Y-%m-%d", tm, found))) return NULL;
      break;
    case 'H':
    case 'k':
      if (!take_number(&at, 2, 0, 23, &number)) return NULL;
      tm->tm_hour = number;
      break;
    case 'j':
      if (!take_number(&at, 3, 1, 366, &number)) return NULL;
      tm->tm_yday = number - 1;
      found->yday = 1;
      break;
    case 'm':
      if (!take_number(&at, 2, 1, 12, &number)) return NULL;
      tm->tm_mon = number - 1;
      found->month = 1;
      break;
    case 'M':
      if (!take_number(&at, 2, 0, 59, &number)) return NULL;
      tm->tm_min = number;
      break;
    case 'n':
    case 't':
      while (is_space(*at)) at++;
      break;
    case 'R':
      if (!(at = parse(at, "%H:%M", tm, found))) return NULL;
      break;
    case 'I':
    case 'l':
      if (!take_number(&at, 2, 1, 12, &number)) return NULL;
      tm->tm_hour = number % 12;
      found->hour12 = 1;
      break;
    case 'p':
      if (!same_letter(at[0], 'a') && !same_letter(at[0], 'p') || !same_letter(at[1], 'm')) return NULL;
      found->pm = same_letter(at[0], 'p');
      at += 2;
      break;
    case 'r':
      if (!(at = parse(at, "%I:%M:%S %p", tm, found))) return NULL;
      break;
    case 'c':
      if (!(at = parse(at, "%a %b %e %H:%M:%S %Y", tm, found))) return NULL;
      break;
    case 'u':
      if (!take_number(&at, 1, 1, 7, &number)) return NULL;
      tm->tm_wday = number % 7;
      found->wday = 1;
      break;
    case 'w':
      if (!take_number(&at, 1, 0, 6, &number)) return NULL;
      tm->tm_wday = number;
      found->wday = 1;
      break;
    case 'S':
      if (!take_number(&at, 2, 0, 61, &number)) return NULL;
      tm->tm_sec = number;
      break;
    case 'X':
    case 'T':
      if (!(at = parse(at, "%H:%M:%S", tm, found))) return NULL;
      break;
    case 'y':
      if (!take_number(&at, 2, 0, 99, &number)) return NULL;
      tm->tm_year = number >= 69 ? number : number + 100;
      found->in_century = number + 1;
      found->year = 1;
      break;
    case 'C':
      if (!take_number(&at, 2, 0, 99, &number)) return NULL;
      found->century = number + 1;
      found->year = 1;
      break;
    case 'Y':
      if (!take_number(&at, 4, 0, 9999, &number)) return NULL;
      tm->tm_year = number - 1900;
      found->century = found->in_century = 0;
      found->year = 1;
      break;
    default: unusual_argument();
    }
  }
  return at;
}

static int days_before(int month, long long year)
{
  static const int BEFORE[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  return BEFORE[month] + (month > 1 && is_leap(year));
}

char *strptime(const char *restrict text, const char *restrict form, struct tm *restrict tm)
{
  struct found found = {0};
  IN_C(TIME);
  const char *end = parse(text, form, tm, &found);
  if (!end) return NULL;
  if (found.hour12 && found.pm) tm->tm_hour += 12;
  if (found.century) tm->tm_year = (found.century - 1) * 100 - 1900 + (found.in_century ? found.in_century - 1 : 0);
  long long year = (long long)tm->tm_year + 1900;
  if (found.year && found.yday && !(found.month && found.day)) {
    int month = 11;
    while (days_before(month, year) > tm->tm_yday) month--;
    if (!found.month) tm->tm_mon = month;
    if (!found.day) tm->tm_mday = tm->tm_yday - days_before(month, year) + 1;
    found.month = found.day = 1;
  }
  if (found.year && found.month && found.day) {
    if (!found.yday) tm->tm_yday = days_before(in_range(tm->tm_mon, 0, 11), year) + tm->tm_mday - 1;
    if (!found.wday) {
      long long before = year - 1;
      long long days = before * 365 + before / 4 - before / 100 + before / 400 + tm->tm_yday + 1;
      tm->tm_wday = (int)(days % 7);
    }
  }
  return (char *)end;
}
