import NIOCore
import TelecapPlatform
import TelecapTransport

/// The connections of browsers to a page server: so many at a time, and none that would take one of the last descriptors. Others are
/// closed at once, and counted.
final class PageConnections: Sendable {
  private struct Counts {
    var open = 0
    var refused = 0
  }

  /// A browser opens about six for each page that it shows.
  static let most = 256
  /// A connection on which nothing is asked for so long makes room for another; a browser opens it again.
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

  /// How many were closed at once, in a sentence; nil where none was.
  var refused: String? {
    let count = counts.with { $0.refused }
    return count == 0
      ? nil
      : "\(count) \(count == 1 ? "connection" : "connections") to the page refused: more than \(most) at a time, or too few "
        + "files may be open (ulimit -n)"
  }

  /// Looks after one connection.
  var handler: any RemovableChannelHandler { Handler(connections: self) }

  /// Whether one more may stay.
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
