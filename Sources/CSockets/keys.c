#define _GNU_SOURCE
#include "internal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <termios.h>

// What the terminal was, and where it is; -1 while it is as it was.
static struct termios former;
static atomic_int changed = -1;

int telecap_keys_begin(int input) {
  if (!isatty(input) || tcgetpgrp(input) != getpgrp()) return -ENOTTY;
  // Opened anew: that reads do not wait is not for others who have the standard input. Once a signal has given the terminal back,
  // a read that waits would wait for a whole line.
  int fd = open("/dev/tty", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -errno;
  if (tcgetattr(fd, &former) != 0) {
    int code = errno;
    close(fd);
    return -code;
  }
  struct termios keys = former;
  keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  keys.c_cc[VMIN] = 0;
  keys.c_cc[VTIME] = 0;
  atomic_store(&changed, fd);
  if (tcsetattr(fd, TCSANOW, &keys) == 0) return fd;
  int code = errno;
  atomic_store(&changed, -1);
  close(fd);
  return -code;
}

// Safe in a signal handler. A process in the background would be stopped for changing the terminal.
void telecap_keys_end(void) {
  int fd = atomic_exchange(&changed, -1);
  if (fd < 0) return;
  int code = errno;
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &stop, &before);
  tcsetattr(fd, TCSANOW, &former);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = code;
}

int telecap_next_key(int fd) {
  unsigned char key;
  return read(fd, &key, 1) == 1 ? key : -1;
}
