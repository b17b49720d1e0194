/* Lets the n-th call that changes an archive's files fail, or ends the program there. Loaded before the C library
 * (LD_PRELOAD). The calls are write, sync, truncate, open, unlink and rename of files whose names have ".db" in them.
 *
 * PLYBOOK_FAIL_AT     which call, from 1 on; 0 for none
 * PLYBOOK_FAIL_HOW    error  it says PLYBOOK_FAIL_ERRNO
 *                     short  it writes half of the bytes, and says so; every other call says PLYBOOK_FAIL_ERRNO
 *                     kill   the program is killed before the call
 *                     torn   the same, when half of the bytes are written
 * PLYBOOK_FAIL_ERRNO  what it says
 * PLYBOOK_FAIL_STAYS  if set, every later call fails too: a disk that stays full
 * PLYBOOK_FAIL_COUNT  a file that is given the number of calls at the end
 * PLYBOOK_READ_ONLY   a folder in which nothing can be opened for writing, made or removed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int is_archive(const char *path) { return path && strstr(path, ".db") != NULL; }

static int is_archive_fd(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_archive(path);
}

static int is_how(const char *word) {
    const char *how = getenv("PLYBOOK_FAIL_HOW");
    return strcmp(how ? how : "error", word) == 0;
}

static void end(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Whether this is a call that fails. */
static int fails(void) {
    const char *at = getenv("PLYBOOK_FAIL_AT");
    long call = __sync_add_and_fetch(&calls, 1), wanted = at ? atol(at) : 0;
    if (wanted == 0 || call < wanted || (call > wanted && !getenv("PLYBOOK_FAIL_STAYS"))) return 0;
    if (is_how("kill")) end();
    const char *number = getenv("PLYBOOK_FAIL_ERRNO");
    errno = number ? atoi(number) : EIO;
    return 1;
}

/* The same for a call that has no halves. */
static int fails_whole(void) {
    if (!fails()) return 0;
    if (is_how("torn")) end();
    return 1;
}

static int is_read_only(const char *path) {
    const char *folder = getenv("PLYBOOK_READ_ONLY");
    if (!folder || !path || strncmp(path, folder, strlen(folder)) != 0) return 0;
    errno = EROFS;
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

#define WRITE(name, parameters, half, whole) \
    ssize_t name parameters { \
        REAL(name); \
        if (!is_archive_fd(fd) || !fails()) return whole; \
        if (is_how("error") || (is_how("short") && size < 2)) return -1; \
        ssize_t written = half; \
        if (is_how("torn")) end(); \
        return written; \
    }
WRITE(write, (int fd, const void *bytes, size_t size), real(fd, bytes, size / 2), real(fd, bytes, size))
WRITE(pwrite, (int fd, const void *bytes, size_t size, off_t at), real(fd, bytes, size / 2, at), real(fd, bytes, size, at))
WRITE(pwrite64, (int fd, const void *bytes, size_t size, off64_t at), real(fd, bytes, size / 2, at), real(fd, bytes, size, at))

#define ON_FILE(name, parameters, call) \
    int name parameters { \
        REAL(name); \
        return is_archive_fd(fd) && fails_whole() ? -1 : call; \
    }
ON_FILE(fsync, (int fd), real(fd))
ON_FILE(fdatasync, (int fd), real(fd))
ON_FILE(ftruncate, (int fd, off_t size), real(fd, size))
ON_FILE(ftruncate64, (int fd, off64_t size), real(fd, size))

int unlink(const char *path) {
    REAL(unlink);
    return is_read_only(path) || (is_archive(path) && fails_whole()) ? -1 : real(path);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return is_read_only(to) || (is_archive(to) && fails_whole()) ? -1 : real(from, to);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT); \
        if (writes && is_read_only(path)) return -1; \
        return is_archive(path) && fails_whole() ? -1 : real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
