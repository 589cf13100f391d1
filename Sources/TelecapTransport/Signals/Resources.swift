import CSockets
import TelecapConformance

/// The address space and threads that a command requires.
///
/// The libraries below wait forever for a thread that they cannot start, and Swift traps without memory. Both follow
/// from a limit (ulimit -v, ulimit -u) that a command could reach at any time, so it is checked at the start.
public enum Resources {
  /// The address space in bytes for the work of commands and the heaps of their threads.
  static let space = 256 << 20
  /// The number of simultaneous threads.
  static let threads = 8

  /// Checks that a command has enough resources.
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
