import CSockets
import NIOCore

/// The kernel's buffer of a datagram socket: what may gather while its reader is busy, and what did not fit. Asked for on the
/// channel's event loop.
enum ReceiveBuffer {
  /// Bytes that are asked for; the system may give less.
  static let size: CInt = 4 << 20

  /// Whether this system tells what did not fit.
  static let isCounted = telecap_memory_option() >= 0

  /// How many datagrams did not fit; 0 where the system does not tell.
  static func drops(of channel: any Channel) -> Int { memory(of: channel).map { Int($0.drops) } ?? 0 }

  /// Bytes of memory that wait to be read; 0 where the system does not tell.
  static func waiting(in channel: any Channel) -> Int { memory(of: channel).map { Int($0.read) } ?? 0 }

  /// How many datagrams can be waiting there at most: each takes the kernel's own description of it, over 128 bytes.
  static func mostDatagrams(in channel: any Channel) -> Int { (waiting(in: channel) + 127) / 128 }

  private static func memory(of channel: any Channel) -> telecap_socket_memory? {
    guard isCounted, let socket = channel as? any SocketOptionProvider else { return nil }
    var memory: telecap_socket_memory?
    let answer: EventLoopFuture<telecap_socket_memory> = socket.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: telecap_memory_option()))
    // On the channel's own loop the answer is there at once.
    answer.assumeIsolated().whenSuccess { memory = $0 }
    return memory
  }

  /// Makes it as large as the system lets us.
  static func widen(_ channel: any Channel) {
    guard let socket = channel as? any SocketOptionProvider else { return }
    for name in [NIOBSDSocket.Option.so_rcvbuf.rawValue, telecap_force_buffer_option()] where name >= 0 {
      let option = NIOBSDSocket.Option(rawValue: name)
      // The second may be refused to whoever is not privileged, which leaves what the first gave.
      let _: EventLoopFuture<Void> = socket.unsafeSetSocketOption(level: .socket, name: option, value: size)
    }
  }
}
