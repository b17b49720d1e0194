/* Lets the n-th write, sync or open of an archive's files fail. Loaded before the C library (LD_PRELOAD).
 *
 * PLYBOOK_FAIL_AT     which call fails, from 1 on; 0 for none
 * PLYBOOK_FAIL_ERRNO  what it says
 * PLYBOOK_FAIL_STAYS  if set, every later one fails too: a disk that stays full
 * PLYBOOK_FAIL_COUNT  a file that is given the number of calls at the end
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;

static int is_archive(const char *path) { return path && strstr(path, ".db") != NULL; }

static int is_archive_fd(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_archive(path);
}

static int fails(void) {
    const char *at = getenv("PLYBOOK_FAIL_AT");
    long call = __sync_add_and_fetch(&calls, 1), wanted = at ? atol(at) : 0;
    if (wanted == 0 || call < wanted || (call > wanted && !getenv("PLYBOOK_FAIL_STAYS"))) return 0;
    const char *number = getenv("PLYBOOK_FAIL_ERRNO");
    errno = number ? atoi(number) : EIO;
    return 1;
}

__attribute__((destructor)) static void count(void) {
    const char *path = getenv("PLYBOOK_FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld", calls);
        fclose(file);
    }
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t size) {
    REAL(write);
    return is_archive_fd(fd) && fails() ? -1 : real(fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    REAL(pwrite);
    return is_archive_fd(fd) && fails() ? -1 : real(fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    REAL(pwrite64);
    return is_archive_fd(fd) && fails() ? -1 : real(fd, bytes, size, at);
}

int fsync(int fd) {
    REAL(fsync);
    return is_archive_fd(fd) && fails() ? -1 : real(fd);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    return is_archive_fd(fd) && fails() ? -1 : real(fd);
}

int ftruncate(int fd, off_t size) {
    REAL(ftruncate);
    return is_archive_fd(fd) && fails() ? -1 : real(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    REAL(ftruncate64);
    return is_archive_fd(fd) && fails() ? -1 : real(fd, size);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return is_archive(path) && fails() ? -1 : real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
