/* Integers only: how many steps the numbers below 60000 need to reach 1 by halving or tripling and adding one. */
int main(void)
{
    unsigned long total = 0;

    for (unsigned long n = 1; n < 60000; n++)
        for (unsigned long k = n; k != 1; total++)
            k = k % 2 ? 3 * k + 1 : k / 2;
    return total == 0;
}
