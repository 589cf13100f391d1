#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Sends this process a signal. Not raise: worker threads have signals blocked.
func sendSelf(signal number: Int32) { kill(getpid(), number) }
