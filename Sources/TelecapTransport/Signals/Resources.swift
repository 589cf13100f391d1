import CSockets
import TelecapConformance

/// The address space and threads that a command requires.
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

  static func check(_ result: telecap_resources) throws(SystemError) {
    switch result {
    case TELECAP_RESOURCES_ENOUGH: return
    case TELECAP_RESOURCES_NO_SPACE:
      throw SystemError(
        "there is not enough memory: \(space >> 20) MiB of address space are needed: allow more (ulimit -v)")
    default:
      throw SystemError(
        "\(threads) threads cannot be started: allow more processes (ulimit -u), or more memory (ulimit -v)")
    }
  }
}
