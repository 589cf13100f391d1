import TelecapPlatform
import TelecapRecording

/// Ports of the loopback address for programs: free for UDP and TCP when they are chosen, and never the same twice in
/// this process, whose runs may be parallel. They are below the ephemeral ports of systems (Linux 32768…60999, Apple
/// 49152…65535), so that no socket takes one before its program does.
enum FreePorts {
  private static let range: ClosedRange<UInt16> = 20_000...32_000
  private static let next = Locked(UInt16.random(in: range))

  /// Returns a free port.
  /// - Throws: `SocketError` when all tried ports are in use.
  static func take() throws -> Endpoint {
    for _ in 0..<1_000 {
      if let end = try? probe() { return end }
    }
    return try probe()
  }

  /// The next port, if it is free.
  private static func probe() throws -> Endpoint {
    let port = next.with { next -> UInt16 in
      next = next == range.upperBound ? range.lowerBound : next + 1
      return next
    }
    let end = Endpoint(.loopback, port: port)
    let sender = try DatagramSender(policy: DestinationPolicy(.loopback, broadcastAddresses: []), capacity: 1)
    _ = try sender.open(at: end)
    _ = try StreamListener(at: end)
    return end
  }
}
