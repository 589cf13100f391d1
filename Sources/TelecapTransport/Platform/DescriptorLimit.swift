import CSockets
import NIOCore
import TelecapConformance

/// How many descriptors this process may have open (RLIMIT_NOFILE), and who gets the last of them.
///
/// Files, timers and event loops need some at any time, and where there is none left the libraries below trap. So clients that come
/// from elsewhere get none of the last ones: who takes a client asks `leavesRoom`, turns it away where there is none, and counts
/// that. Since the kernel gives the lowest number that is free, a number tells how many are in use.
public enum DescriptorLimit {
  /// So many are asked for: enough for all clients that relays and pages take. More would be inherited by programs under test, of
  /// which some close every number up to the limit.
  private static let wanted = 16_384
  /// With fewer than so many no command is sure to begin.
  static let least = 32

  /// Raises the limit as far as the system lets it. Called once, where the program begins, before anything is open.
  ///
  /// - Throws: `SystemError` when there are too few to work with.
  public static func raise() throws(SystemError) {
    telecap_descriptors_raise(Int32(wanted))
    // Each event loop takes three, and would be one for each core. On one loop each connection is looked at before the next ones
    // are taken; what pages show is made elsewhere.
    NIOSingletons.groupLoopCountSuggestion = 1
    let limit = Int(telecap_descriptors_limit())
    guard limit < least else { return }
    throw SystemError("only \(limit) files may be open at a time, and \(least) are needed: allow more (ulimit -n)")
  }

  /// Whether a client may have another descriptor, as far as the limit goes.
  public static var leavesRoom: Bool {
    isRoom(next: Int(telecap_descriptors_next()), limit: Int(telecap_descriptors_limit()))
  }

  /// Whether a client may keep this socket of its own. Where several are taken before the first is looked at, numbers of those that were
  /// turned away are free again while these lie behind them. Asked on the channel's event loop.
  public static func leavesRoom(for channel: any Channel) -> Bool {
    let number = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      $0
    }
    guard let number else { return leavesRoom }
    return isRoom(next: Int(number), limit: Int(telecap_descriptors_limit()))
  }

  /// Whether a client may have the descriptor of this number; negative where there is none.
  static func isRoom(next: Int, limit: Int) -> Bool { next >= 0 && next < limit - reserve(of: limit) }

  /// So many of a limit are nobody's but our own.
  static func reserve(of limit: Int) -> Int { min(64, max(16, limit / 4)) }
}
