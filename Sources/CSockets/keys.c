#define _GNU_SOURCE
#include "internal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>

// What the terminal was, what it is for keys, and where it is; -1 while it is as it was.
static struct termios former, keys;
static atomic_int changed = -1;

// Safe in a signal handler. A process in the background would be stopped for changing the terminal.
static void set(int fd, const struct termios *terminal) {
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &stop, &before);
  tcsetattr(fd, TCSANOW, terminal);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void handle(int signal, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, NULL);
}

// The process goes on, perhaps in the background: then the terminal is somebody else's until it is told to go on in the foreground.
static void handle_continue(int signal) {
  (void)signal;
  int code = errno, fd = atomic_load(&changed);
  if (fd >= 0 && tcgetpgrp(fd) == getpgrp()) set(fd, &keys);
  errno = code;
}

// Ctrl-Z: the shell gets its terminal back as it was, then the process stops as it would have.
static void handle_stop(int signal) {
  int code = errno, fd = atomic_load(&changed);
  if (fd >= 0) set(fd, &former);
  handle(signal, SIG_DFL);
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, signal);
  pthread_sigmask(SIG_UNBLOCK, &stop, &before);
  raise(signal);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  handle(signal, handle_stop);
  // Nobody stops a process that no shell waits for: it goes on at once.
  handle_continue(signal);
  errno = code;
}

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
  keys = former;
  keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  keys.c_cc[VMIN] = 0;
  keys.c_cc[VTIME] = 0;
  atomic_store(&changed, fd);
  if (tcsetattr(fd, TCSANOW, &keys) == 0) {
    handle(SIGTSTP, handle_stop);
    handle(SIGCONT, handle_continue);
    return fd;
  }
  int code = errno;
  atomic_store(&changed, -1);
  close(fd);
  return -code;
}

// Safe in a signal handler.
void telecap_keys_end(void) {
  int fd = atomic_exchange(&changed, -1);
  if (fd < 0) return;
  int code = errno;
  set(fd, &former);
  errno = code;
}

int telecap_next_key(int fd) {
  unsigned char key;
  return read(fd, &key, 1) == 1 ? key : -1;
}
