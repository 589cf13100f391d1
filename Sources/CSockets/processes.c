#define _GNU_SOURCE
#include "internal.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif
#ifdef __linux__
#include <dirent.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#endif

int telecap_child_state(int pid, int *code) {
  siginfo_t info = {0};
  int result;
  do {
    result = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
  } while (result != 0 && errno == EINTR);
  if (result != 0) return -1;
  if (info.si_pid == 0) return 0;
  *code = info.si_status;
  return info.si_code == CLD_EXITED ? 1 : 2;
}

int telecap_input_pair(int ends[2]) {
#ifdef __linux__
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : -errno;
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -errno;
  int on = 1;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  setsockopt(ends[1], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  return 0;
#endif
}

int telecap_is_stream_socket(int fd) {
  int type = 0;
  socklen_t length = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM;
}

static const char guard_script[] =
    "trap '' HUP INT TERM\n"
    // The group comes when the program has started, the end when it is asked for; the end of file when the parent has died.
    "group=\n"
    "while read line; do\n"
    "  [ \"$line\" = end ] && break\n"
    "  group=$line\n"
    "done\n"
    // The file system /proc may belong to another PID namespace: its numbers are then those of other processes.
    "own=\n"
    "read own rest < /proc/self/stat\n"
    "if [ \"$own\" != $$ ]; then\n"
    "  [ \"$group\" ] && kill -s KILL -- \"-$group\"\n"
    "  exit\n"
    "fi\n"
    "if [ \"$group\" ]; then\n"
    // Before any of them loses its parent: those that left the group and cleared their environment are known by it alone.
    // awk (mawk) ends where a file is gone that the shell had listed: a process that ended just then. cat goes on.
    "  tree=$(cat /proc/[0-9]*/status 2>/dev/null | awk -v root=\"$group\" '\n"
    "    /^Pid:/ { id = $2 }\n"
    "    /^PPid:/ { parent[id] = $2 }\n"
    "    END {\n"
    "      kept[root]\n"
    "      do {\n"
    "        more = 0\n"
    "        for (id in parent) if (!(id in kept) && parent[id] in kept) { kept[id]; more = 1 }\n"
    "      } while (more)\n"
    "      for (id in kept) print id\n"
    "    }')\n"
    "  kill -s KILL -- \"-$group\" 2>/dev/null\n"
    "  for id in $tree; do kill -s KILL \"$id\" 2>/dev/null; done\n"
    "fi\n"
    "for turn in 1 2 3 4 5; do\n"
    "  found=$(grep -lasF -- \"$1\" /proc/[0-9]*/environ)\n"
    "  for place in $found; do place=${place#/proc/}; kill -s KILL \"${place%/environ}\" 2>/dev/null; done\n"
    "  [ \"$found\" ] && continue\n"
    "  [ \"$group\" ] && exit\n"
    // The parent died while it started the program, whose environment is not there before its exec.
    "  sleep 0.02\n"
    "done\n";

int telecap_guard_start(const char *mark, int *descriptor) {
  int ends[2];
  int made = telecap_input_pair(ends);
  if (made != 0) return made;
  char *arguments[] = {"sh", "-c", (char *)guard_script, "telecap-guard", (char *)mark, NULL};
  char *environment[] = {"PATH=/usr/bin:/bin", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  for (int i = 1; i < 3; i++) posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_WRONLY, 0);
  // In a group of its own: Ctrl-C is not for it.
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t pid = 0;
  int code = posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (code != 0) {
    close(ends[1]);
    return -code;
  }
  *descriptor = ends[1];
  return pid;
}

int telecap_proc_is_own(void) {
  char text[16];
  ssize_t length = readlink("/proc/self", text, sizeof text - 1);
  if (length <= 0) return 0;
  text[length] = 0;
  return atoi(text) == getpid();
}

#ifdef __linux__
/// Whether a process is a child of ours, by /proc/ID/stat: its name stands in parentheses, and may hold any.
static int is_child(int pid) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  const char *behind = strrchr(text, ')');
  int parent = 0;
  return behind && sscanf(behind + 1, " %*c %d", &parent) == 1 && parent == getpid();
}

static int is_among(int pid, const int *some, int count) {
  for (int place = 0; place < count; place++) {
    if (some[place] == pid) return 1;
  }
  return 0;
}

/// Kills each child but some, and waits for those that have ended. How many there were.
static int end_children_once(const int *but, int kept) {
  DIR *all = opendir("/proc");
  if (!all) return 0;
  int count = 0;
  for (struct dirent *entry = readdir(all); entry; entry = readdir(all)) {
    int pid = atoi(entry->d_name);
    if (pid <= 0 || is_among(pid, but, kept) || !is_child(pid)) continue;
    count++;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, WNOHANG);
  }
  closedir(all);
  return count;
}
#endif

void telecap_strays_adopt(int adopts) {
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, (unsigned long)adopts, 0UL, 0UL, 0UL);
#else
  (void)adopts;
#endif
}

void telecap_strays_end(const int *but, int count) {
#ifdef __linux__
  // The children of those that are killed become ours, and are there at the next turn. What may not be killed is given up.
  struct timespec turn = {.tv_nsec = 2000000};
  if (!telecap_proc_is_own()) return;
  for (int turns = 0; turns < 500 && end_children_once(but, count) > 0; turns++) nanosleep(&turn, NULL);
#else
  (void)but;
  (void)count;
#endif
}

#ifdef __linux__
// The text of a small file of /proc; its length, or -1.
static ssize_t read_text(const char *path, char *text, size_t capacity) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t length = read(file, text, capacity - 1);
  close(file);
  if (length >= 0) text[length] = 0;
  return length;
}

// Whether the state of a thread is R; its name, which may hold anything, ends with the last bracket.
static int is_ready(const char *stat) {
  const char *name = strrchr(stat, ')');
  return name && name[1] == ' ' && name[2] == 'R';
}

// Adds the threads of a process, and puts its children behind `processes`, of which there are `count`; how many threads there are then.
static int add_threads(
    int process, struct telecap_thread_times *threads, int found, int limit, int *processes, int *count, int most) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *tasks = opendir(path);
  if (!tasks) return found;
  struct dirent *task;
  while (found < limit && (task = readdir(tasks))) {
    int id = atoi(task->d_name);
    if (id <= 0) continue;
    struct telecap_thread_times times = {.id = id};
    long long ran, waited;
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", process, id);
    if (read_text(path, text, sizeof text) <= 0 || sscanf(text, "%lld %lld", &ran, &waited) != 2) continue;
    times.ran = ran;
    times.waited = waited;
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", process, id);
    if (read_text(path, text, sizeof text) > 0) times.is_ready = is_ready(text);
    threads[found++] = times;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, id);
    if (read_text(path, text, sizeof text) <= 0) continue;
    for (char *rest = text, *next; *count < most; rest = next) {
      long child = strtol(rest, &next, 10);
      if (next == rest || child <= 0) break;
      processes[(*count)++] = (int)child;
    }
  }
  closedir(tasks);
  return found;
}
#endif

int telecap_threads(int process, struct telecap_thread_times *threads, int limit) {
#ifdef __linux__
  if (!telecap_proc_is_own()) return 0;
  int processes[64] = {process};
  int count = 1, found = 0;
  for (int index = 0; index < count && found < limit; index++)
    found = add_threads(processes[index], threads, found, limit, processes, &count, 64);
  return found;
#else
  (void)process, (void)threads, (void)limit;
  return 0;
#endif
}

int telecap_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

int telecap_reap(int pid) {
  int status;
  int result;
  do { result = waitpid(pid, &status, WNOHANG); } while (result < 0 && errno == EINTR);
  return result != 0;
}

int telecap_group_signal(int group, int signal) { return kill(-group, signal) == 0 ? 0 : -errno; }

int telecap_own_path(char *out, size_t capacity) {
#ifdef __APPLE__
  uint32_t size = (uint32_t)capacity;
  return _NSGetExecutablePath(out, &size) == 0 ? (int)strlen(out) : -ENAMETOOLONG;
#else
  ssize_t length = readlink("/proc/self/exe", out, capacity);
  return length < 0 ? -errno : (int)length;
#endif
}

int telecap_current_directory(char *out, size_t capacity) {
  return getcwd(out, capacity) ? (int)strlen(out) : -errno;
}
