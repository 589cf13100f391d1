import CSockets
import NIOCore

/// The kernel's receive buffer of a datagram socket: the data that waits while the reader is busy, and the drops. Call
/// it on the channel's event loop.
enum ReceiveBuffer {
  /// The requested size in bytes; the system may grant less.
  static let size: CInt = 4 << 20

  /// Whether this system reports drops.
  static let isCounted = telecap_memory_option() >= 0

  /// The number of dropped datagrams; 0 where the system does not report it.
  static func drops(of channel: any Channel) -> Int { memory(of: channel).map { Int($0.drops) } ?? 0 }

  /// The memory of unread data in bytes; 0 where the system does not report it.
  static func waiting(in channel: any Channel) -> Int { memory(of: channel).map { Int($0.read) } ?? 0 }

  /// The maximum number of unread datagrams: each has a kernel structure of over 128 bytes.
  static func mostDatagrams(in channel: any Channel) -> Int { (waiting(in: channel) + 127) / 128 }

  private static func memory(of channel: any Channel) -> telecap_socket_memory? {
    guard isCounted, let socket = channel as? any SocketOptionProvider else { return nil }
    var memory: telecap_socket_memory?
    let answer: EventLoopFuture<telecap_socket_memory> = socket.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: telecap_memory_option()))
    // On the channel's own loop the answer is immediate.
    answer.assumeIsolated().whenSuccess { memory = $0 }
    return memory
  }

  /// Enlarges the buffer; the system may allow less.
  static func widen(_ channel: any Channel) {
    guard let socket = channel as? any SocketOptionProvider else { return }
    for name in [NIOBSDSocket.Option.so_rcvbuf.rawValue, telecap_force_buffer_option()] where name >= 0 {
      let option = NIOBSDSocket.Option(rawValue: name)
      // The second option may need privileges; without them the first one stays in effect.
      let _: EventLoopFuture<Void> = socket.unsafeSetSocketOption(level: .socket, name: option, value: size)
    }
  }
}
