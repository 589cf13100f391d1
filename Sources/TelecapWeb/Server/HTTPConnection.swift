import NIOCore
import NIOHTTP1

/// One connection of an `HTTPServer`: collects a request, answers it in a task, and writes the response.
///
/// The pipelining handler before it delays the next request until the response is complete.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let maxBodyLength: Int
  private let respond: HTTPServer.Responder
  private var request: HTTPExchange.Request?
  private var response: Task<Void, Never>?
  private var isInputClosed = false

  init(maxBodyLength: Int, respond: @escaping HTTPServer.Responder) {
    (self.maxBodyLength, self.respond) = (maxBodyLength, respond)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): request = HTTPExchange.Request(head: head, body: ByteBuffer())
    case .body(var bytes):
      // One byte past the limit shows that it is exceeded; the rest is dropped.
      guard let length = request?.body.readableBytes, length <= maxBodyLength else { return }
      if var piece = bytes.readSlice(length: min(bytes.readableBytes, maxBodyLength + 1 - length)) {
        request?.body.writeBuffer(&piece)
      }
    case .end:
      guard let request else { return }
      self.request = nil
      answer(request, context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is IdleStateHandler.IdleStateEvent: if response == nil { context.close(promise: nil) }
    case ChannelEvent.inputClosed:
      isInputClosed = true
      if response == nil { context.close(promise: nil) }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    response?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func answer(_ request: HTTPExchange.Request, _ context: ChannelHandlerContext) {
    let isTooLong = request.body.readableBytes > maxBodyLength
    let isKept = request.head.isKeepAlive && !isTooLong
    let connection = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    let (channel, respond) = (context.channel, respond)
    response = Task {
      let response = isTooLong ? HTTPExchange.Response(status: 413) : await respond(request)
      let writer = HTTPResponseWriter(channel: channel, head: request.head, isKept: isKept)
      do {
        try await writer.write(response)
        channel.eventLoop.execute { connection.value.handler.finish(connection.value.context, isKept: isKept) }
      } catch {
        channel.close(promise: nil)
      }
    }
  }

  private func finish(_ context: ChannelHandlerContext, isKept: Bool) {
    response = nil
    if !isKept || isInputClosed { context.close(promise: nil) }
  }
}

/// Serialises one response.
private struct HTTPResponseWriter: Sendable {
  let channel: any Channel
  let head: HTTPRequestHead
  let isKept: Bool

  func write(_ response: HTTPExchange.Response) async throws {
    var headers = response.headers
    if !isKept { headers.replaceOrAdd(name: "Connection", value: "close") }
    switch response.body {
    case .whole(let text):
      headers.replaceOrAdd(name: "Content-Length", value: "\(text.utf8.count)")
      try await begin(response.status, headers)
      if head.method != .HEAD { try await send(.body(.byteBuffer(ByteBuffer(string: text)))) }
    case .streamed(let write):
      try await begin(response.status, headers)
      try await write { piece in try await send(.body(.byteBuffer(ByteBuffer(string: piece)))) }
    }
    try await send(.end(nil))
  }

  private func begin(_ status: Int, _ headers: HTTPHeaders) async throws {
    let status = HTTPResponseStatus(statusCode: status)
    try await send(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
  }

  /// Waits until the part is written to the socket, so that a slow client slows down the response.
  private func send(_ part: HTTPServerResponsePart) async throws { try await channel.writeAndFlush(part) }
}
