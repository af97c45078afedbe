// case: lang/undeclared-functions
// models: functions of the C library without a declaration, or with one of another type
// target: lp64
// property: memsafety
// verdict: safe
int main(void)
{
    char *p = malloc(16), *q = calloc(2, 8);
    int *no = 0;
    strcpy(p, "abc");
    memset(q, 'x', 15);
    q[15] = 0;
    if (strlen(p) != 3 || strcmp(p, "abc") != 0 || *strchr(q, 'x') != 'x')
        *no = 1;
    if (fabs(-1.5) != 1.5 || sqrt(9.0) != 3.0 || floor(2.5) != 2.0)
        *no = 2;
    p = realloc(p, 32);
    p[31] = 1;
    char *d = strdup("copy");
    if (d[4])
        *no = 3;
    int *s = alloca(4 * sizeof *s);
    s[3] = abs(-4);
    if (s[3] != 4)
        *no = 4;
    free(d);
    free(p);
    free(q);
    return 0;
}
