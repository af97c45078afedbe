// case: symheap-attack/too-few-arguments-of-main
// models: argv[1] without arguments is null
// target: lp64
// property: memsafety
// verdict: unsafe
// error: null-deref line 10

int main(int argc, char **argv)
{
    return argv[1][0];
}
