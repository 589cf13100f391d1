import CSockets
import NIOCore
import TelecapConformance

/// The limit of open descriptors of this process (RLIMIT_NOFILE), and the reserve for telecap itself.
///
/// Files, timers and event loops may need a descriptor at any time, and the libraries below trap without one. So the
/// last ones are not for clients of the network: code that accepts a client checks `leavesRoom`, and otherwise rejects
/// it and counts that. The kernel uses the lowest free number, so a descriptor's number shows how many are in use.
public enum DescriptorLimit {
  /// The requested limit: enough for all clients of relays and pages. Programs under test inherit it, and some close
  /// every number up to the limit, so it is not higher.
  private static let wanted = 16_384
  /// The minimum with which every command can start.
  static let least = 32

  /// Raises the limit to the maximum that the system allows. Called once at the start of the program, before anything is open.
  ///
  /// - Throws: `SystemError` when the limit stays too low.
  public static func raise() throws(SystemError) {
    telecap_descriptors_raise(Int32(wanted))
    // Each event loop uses three descriptors, and the default is one loop for each core. One loop also checks each
    // connection before it accepts the next; pages are rendered elsewhere.
    NIOSingletons.groupLoopCountSuggestion = 1
    let limit = Int(telecap_descriptors_limit())
    guard limit < least else { return }
    throw SystemError("only \(limit) files may be open at a time, and \(least) are needed: allow more (ulimit -n)")
  }

  /// Whether a client may use another descriptor.
  public static var leavesRoom: Bool {
    isRoom(next: Int(telecap_descriptors_next()), limit: Int(telecap_descriptors_limit()))
  }

  /// Whether a client may keep this socket, by its own number: the next free number may be lower, if sockets that were
  /// accepted before it have been rejected. Call it on the channel's event loop.
  public static func leavesRoom(for channel: any Channel) -> Bool {
    let number = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      $0
    }
    guard let number else { return leavesRoom }
    return isRoom(next: Int(number), limit: Int(telecap_descriptors_limit()))
  }

  /// Whether a client may use the descriptor of this number; a negative number is invalid.
  static func isRoom(next: Int, limit: Int) -> Bool { next >= 0 && next < limit - reserve(of: limit) }

  /// The number of descriptors that are reserved for telecap, for a limit.
  static func reserve(of limit: Int) -> Int { min(64, max(16, limit / 4)) }
}
