#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CSockets
import TelecapConformance

/// What the system has to let this process have before a command begins.
///
/// The libraries below wait for ever for a thread that they cannot start, and Swift ends a process that gets no memory by a trap. Both
/// come from a limit (ulimit -v, ulimit -u) that a command would meet at any moment, so it is looked for before anything is begun.
public enum Resources {
  /// Address space, in bytes: what commands ask for while they work, with the heaps of their threads.
  static let space = 256 << 20
  /// Threads at once.
  static let threads = 8

  /// Checks that a command can work.
  ///
  /// - Throws: `SystemError`.
  public static func check() throws(SystemError) { try check(telecap_resources_check(space, Int32(threads))) }

  static func check(_ result: Int32) throws(SystemError) {
    switch result {
    case 0: return
    case -ENOMEM:
      throw SystemError(
        "there is not enough memory: \(space >> 20) MiB of address space are needed: allow more (ulimit -v)")
    default:
      throw SystemError(
        "\(threads) threads cannot be started: allow more processes (ulimit -u), or more memory (ulimit -v)")
    }
  }
}
