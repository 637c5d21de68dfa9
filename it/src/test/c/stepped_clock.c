/*
 * Loaded into a program ahead of the C library (LD_PRELOAD), so that a test can set the program's clock: the time of
 * day is ahead by the seconds that the file named by STEPPED_CLOCK holds, a 64-bit number in the machine's byte order.
 * Monotonic clocks are left alone, as they are when the system's clock is set.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t none;
static const volatile int64_t *ahead = &none;
static int (*gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("STEPPED_CLOCK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    void *mapped = MAP_FAILED;

    if (file >= 0) {
        mapped = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
        close(file);
    }
    if (mapped != MAP_FAILED) {
        ahead = mapped;
    }
}

int clock_gettime(clockid_t id, struct timespec *time)
{
    int result;

    if (!gettime) {
        gettime = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    }
    result = gettime(id, time);
    if (!result && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) {
        time->tv_sec += *ahead;
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;

    (void) zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *seconds)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds) {
        *seconds = now.tv_sec;
    }
    return now.tv_sec;
}
