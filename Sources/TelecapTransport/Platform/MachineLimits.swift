import CSockets
import TelecapRecording
import TelecapWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The limits of this machine that decide how many datagrams are lost and how exact times are.
public enum MachineLimits {
  /// The size in bytes of the receive buffer that relays and simulated peers ask for, and of the one that the system grants; nil
  /// where no socket can be opened.
  public static func receiveBuffer() -> (requested: Int, granted: Int)? {
    let socket = telecap_udp_open(4, nil, nil)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    var size = ReceiveBuffer.size
    var length = socklen_t(MemoryLayout<CInt>.size)
    // The second option may need a privilege; without it the first one stays in effect.
    for option in [SO_RCVBUF, telecap_force_buffer_option()] where option >= 0 {
      setsockopt(socket, SOL_SOCKET, option, &size, length)
    }
    guard getsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, &length) == 0 else { return nil }
    #if os(Linux)
      // The kernel doubles the value for its own use (socket(7)).
      size /= 2
    #endif
    return (Int(ReceiveBuffer.size), Int(size))
  }

  /// How late sleeps end, in ns, sorted.
  ///
  /// - Parameters:
  ///   - length: the duration of each sleep, in ns.
  ///   - clock: a clock that has prepared the calling thread.
  public static func lateness(
    of count: Int, sleeps length: Nanoseconds, by clock: any MonotonicClock = SystemMonotonicClock()
  ) -> [Nanoseconds] {
    (0..<count).map { _ in
      let due = clock.now() &+ length
      clock.sleep(until: due)
      return max(0, clock.now() &- due)
    }.sorted()
  }

  /// Whether another program uses this port, on all addresses or on a loopback address.
  public static func isTaken(_ port: UInt16, _ carrier: Carrier) -> Bool {
    // BSD systems let a server listen on all addresses next to one on a single address.
    [IPAddress.any, .loopback, IPAddress(v6High: 0, low: 1)].contains { address in
      var end = Endpoint(address, port: port).raw
      let family = CInt(address.family == .v4 ? 4 : 6)
      let socket = carrier == .tcp ? telecap_tcp_listen(&end) : telecap_udp_open(family, &end, nil)
      if socket >= 0 { close(socket) }
      return socket == -EADDRINUSE
    }
  }

  /// The number of processors.
  public static var processors: Int { max(1, Int(telecap_processors())) }

  /// The path of a program that the shell would find; nil without one.
  public static func program(_ name: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
