import NIOCore
import NIOHTTP1
import NIOPosix
import TelecapPlatform
import TelecapTransport

/// An HTTP/1.1 server on one address (RFC 9112). NIO parses and serialises messages; each connection answers one request at a time.
struct HTTPServer: Sendable {
  /// Answers one request. Called outside the event loop; cancelled when the connection closes.
  typealias Responder = @Sendable (HTTPExchange.Request) async -> HTTPExchange.Response

  /// The limit of open connections.
  let connections: PageConnections
  /// The maximum length of a request body in bytes; a longer one is answered with 413.
  let maxBodyLength: Int
  let respond: Responder

  /// Listens until the task is cancelled, then closes the listener and all connections.
  ///
  /// - Parameter ready: receives the port, once connections are accepted.
  /// - Throws: `IOError` or another error of NIO if the address cannot be bound.
  func run(host: String, port: Int, ready: (Int) async -> Void) async throws {
    let open = OpenChannels()
    let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // A client may close its sending side after the request and still expect the response.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        open.insert(channel)
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true, withErrorHandling: true)
          try pipeline.addHandler(connections.handler)
          // After the decoder, so that a request sent byte by byte does not count as activity.
          try pipeline.addHandler(IdleStateHandler(readTimeout: PageConnections.idle))
          try pipeline.addHandler(HTTPConnection(maxBodyLength: maxBodyLength, respond: respond))
        }
      }
      .bind(host: host, port: port).get()
    await ready(listener.localAddress?.port ?? port)
    try? await withTaskCancellationHandler {
      try await listener.closeFuture.get()
    } onCancel: {
      listener.close(promise: nil)
    }
    await open.close()
  }
}

/// One request and its response.
enum HTTPExchange {
  /// A complete request.
  struct Request: Sendable {
    var head: HTTPRequestHead
    var body: ByteBuffer

    /// The requested host, the path and the query. The host of an absolute target replaces the header (RFC 9112,
    /// 3.2.2); nil without a host or with several.
    var target: (host: String?, path: String, query: String) {
      let hosts = head.headers["Host"]
      var host = hosts.count == 1 ? hosts[0] : nil
      var rest = head.uri[...]
      if rest.lowercased().hasPrefix("http://") {
        rest = rest.dropFirst("http://".count)
        let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        if host != nil { host = String(rest[..<end]) }
        rest = rest[end...]
      }
      let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      return (host, String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// A response; its body is sent at once or in chunks.
  struct Response: Sendable {
    enum Body: Sendable {
      case whole(String)
      /// The closure writes the body in chunks; each chunk is flushed.
      case streamed(@Sendable (_ write: @Sendable (String) async throws -> Void) async throws -> Void)
    }

    var status: Int
    var headers: HTTPHeaders = [:]
    var body: Body = .whole("")
  }
}

/// The open channels of a server.
private final class OpenChannels: Sendable {
  private let channels = Locked<[ObjectIdentifier: any Channel]>([:])

  func insert(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    channels.with { $0[id] = channel }
    channel.closeFuture.whenComplete { [self] _ in channels.with { $0[id] = nil } }
  }

  /// Closes all channels and waits for it.
  func close() async {
    for channel in channels.with({ Array($0.values) }) { try? await channel.close() }
  }
}
