import NIOCore
import TelecapPlatform
import TelecapTransport

/// The connections of browsers to a page server: limited in number, and so that the last descriptors stay free. Others
/// are closed at once and counted.
final class PageConnections: Sendable {
  private struct Counts {
    var open = 0
    var refused = 0
  }

  /// The maximum number; a browser opens about six for each page.
  static let most = 256
  /// The idle timeout of a connection; a browser reopens it when it needs one.
  static let idle = TimeAmount.seconds(60)

  private let most: Int
  private let hasRoom: @Sendable (any Channel) -> Bool
  private let counts = Locked(Counts())

  init(
    most: Int = PageConnections.most,
    hasRoom: @escaping @Sendable (any Channel) -> Bool = { DescriptorLimit.leavesRoom(for: $0) }
  ) {
    (self.most, self.hasRoom) = (most, hasRoom)
  }

  /// The number of rejected connections, as a sentence; nil if there were none.
  var refused: String? {
    let count = counts.with { $0.refused }
    return count == 0
      ? nil
      : "\(count) \(count == 1 ? "connection" : "connections") to the page refused: more than \(most) at a time, or too few "
        + "files may be open (ulimit -n)"
  }

  /// The handler of one connection.
  var handler: any RemovableChannelHandler { Handler(connections: self) }

  /// Whether there is room for one more.
  private func open(_ channel: any Channel) -> Bool {
    let hasRoom = hasRoom(channel)
    return counts.with { counts in
      let isTaken = hasRoom && counts.open < most
      if isTaken { counts.open += 1 } else { counts.refused += 1 }
      return isTaken
    }
  }

  private func close() { counts.with { $0.open -= 1 } }

  private final class Handler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    private let connections: PageConnections
    private var isOpen = false

    init(connections: PageConnections) { self.connections = connections }

    func channelActive(context: ChannelHandlerContext) {
      isOpen = connections.open(context.channel)
      if !isOpen { context.close(promise: nil) }
      context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
      if isOpen { connections.close() }
      isOpen = false
      context.fireChannelInactive()
    }
  }
}
