import Foundation
import NIOCore
import NIOHTTP1
import TelecapPlatform
import TelecapTestSupport
import TelecapTransport
import Testing

@testable import TelecapWeb

/// The HTTP server under clients that break the rules of RFC 9112, are slow, or are too many.
@Suite(.real("sockets on loopback")) struct HTTPServerTests {
  private static let right = "GET /right HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
  private static let longestBody = 1_000

  /// Runs a server that answers with method, path and length of the body, while `body` runs.
  private static func serve(
    _ connections: PageConnections = PageConnections(),
    respond: @escaping HTTPServer.Responder = {
      .init(status: 200, body: .whole("\($0.head.method) \($0.target.path) \($0.body.readableBytes)"))
    },
    _ body: @escaping @Sendable (UInt16) async throws -> Void
  ) async throws {
    let server = HTTPServer(connections: connections, maxBodyLength: longestBody, respond: respond)
    let (ports, isReady) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { isReady.finish() }
        try await server.run(host: "127.0.0.1", port: 0) { isReady.yield($0) }
      }
      for await port in ports.prefix(1) { try await body(UInt16(port)) }
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  /// All that the server sends until it closes the connection, to a client that sends this.
  private static func answer(to text: String, port: UInt16, thenFinishes: Bool = false) async throws -> String {
    try await waiting {
      let client = try Socket.connected(to: port)
      // The server may close while the rest is being sent.
      _ = try? client.send(Array(text.utf8))
      if thenFinishes { client.finish() }
      return client.receiveAll()
    }
  }

  /// Runs calls that block on a thread of their own: the server needs those of Swift's pool.
  private static func waiting<Result: Sendable>(_ call: @escaping @Sendable () throws -> Result) async throws -> Result
  {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: .init(catching: call)) }
    }
  }

  private static func statuses(_ answer: String) -> [String] {
    answer.matches(of: /HTTP\/1\.1 ([0-9]{3})/).map { String($0.1) }
  }

  @Test(
    "A malformed request gets a 400 or a closed connection, and the server goes on",
    arguments: [
      "GARBAGE\r\n\r\n", "\u{0}\u{1}\u{2}\u{3}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET\r\n\r\n",
      "GET / HTTP/1.1\r\n: x\r\n\r\n",
      "GET / HTTP/1.1\r\nHost h\r\n\r\n", "GET / HTTP/1.1\r\nA\u{0}B: x\r\n\r\n",
      "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999999\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n",
      "GET /LONG HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: LONG\r\n\r\n",
    ])
  func malformed(_ text: String) async throws {
    try await Self.serve { port in
      let text = text.replacingOccurrences(of: "LONG", with: String(repeating: "a", count: 100_000))
      let statuses = Self.statuses(try await Self.answer(to: text, port: port, thenFinishes: true))
      #expect(statuses == [] || statuses == ["400"], "\(statuses)")
      let answer = try await Self.answer(to: Self.right, port: port)
      #expect(answer.hasSuffix("\r\n\r\nGET /right 0"))
    }
  }

  @Test("A request that is cut at any byte gets no answer, or a 400")
  func truncated() async throws {
    try await Self.serve { port in
      for count in 0..<Self.right.utf8.count {
        let cut = String(decoding: Self.right.utf8.prefix(count), as: UTF8.self)
        let statuses = Self.statuses(try await Self.answer(to: cut, port: port, thenFinishes: true))
        #expect(statuses == [] || statuses == ["400"], "after \(count) bytes: \(statuses)")
      }
      let answer = try await Self.answer(to: Self.right, port: port)
      #expect(Self.statuses(answer) == ["200"])
    }
  }

  @Test("A request that arrives byte by byte is answered, also if the client then closes its side")
  func piecemeal() async throws {
    try await Self.serve { port in
      let client = try Socket.connected(to: port)
      for byte in Self.right.utf8 { try client.send([byte]) }
      client.finish()
      let answer = try await Self.waiting { client.receiveAll() }
      #expect(answer.hasSuffix("GET /right 0"))
    }
  }

  @Test("The longest body is accepted, and one that is a byte longer is rejected")
  func bodies() async throws {
    try await Self.serve { port in
      for (count, status) in [(Self.longestBody, "200"), (Self.longestBody + 1, "413"), (1 << 20, "413")] {
        let body = String(repeating: "x", count: count)
        let sized = "POST /p HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n\(body)"
        let answer = try await Self.answer(to: sized, port: port)
        #expect(Self.statuses(answer) == [status], "\(count) bytes")
        let chunk = "\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
        let chunked = "POST /p HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)"
        let chunkedAnswer = try await Self.answer(to: chunked, port: port)
        #expect(Self.statuses(chunkedAnswer) == [status], "\(count) bytes in a chunk")
      }
    }
  }

  @Test("Pipelined requests are answered in their order, and HEAD has no body")
  func pipelined() async throws {
    try await Self.serve { port in
      let first = "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nHEAD /2 HTTP/1.1\r\nHost: h\r\n\r\n"
      let answer = try await Self.answer(to: first + Self.right, port: port)
      let bodies = answer.components(separatedBy: "\r\n\r\n").map { $0.components(separatedBy: "HTTP/1.1")[0] }
      #expect(bodies == ["", "GET /1 0", "", "GET /right 0"])
    }
  }

  @Test("Idle connections are kept up to the limit; the next is closed and counted, until one closes")
  func slowClients() async throws {
    let connections = PageConnections(most: 8) { _ in true }
    try await Self.serve(connections) { port in
      var slow: [Socket] = []
      for _ in 0..<8 {
        let client = try Socket.connected(to: port)
        // The answer to a first request shows that the connection is counted.
        try client.send(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HT".utf8))
        _ = try await Self.waiting { try client.receive(1) }
        slow.append(client)
      }
      let answer = try await Self.answer(to: Self.right, port: port)
      #expect(Self.statuses(answer) == [])
      #expect(connections.refused?.hasPrefix("1 connection to the page refused: more than 8 at a time") == true)
      slow.removeLast()
      try await eventually { Self.statuses(try await Self.answer(to: Self.right, port: port)) == ["200"] }
    }
  }

  @Test("A client that does not read pauses the response, and its end cancels the responder")
  func unreadResponse() async throws {
    let (written, isCancelled) = (Locked(0), Locked(false))
    let piece = String(repeating: "x", count: 1 << 16)
    let respond: HTTPServer.Responder = { _ in
      .init(
        status: 200,
        body: .streamed { write in
          do {
            while true {
              try await write(piece)
              written.with { $0 += piece.utf8.count }
            }
          } catch {
            isCancelled.with { $0 = true }
            throw error
          }
        })
    }
    try await Self.serve(respond: respond) { port in
      var client: Socket? = try Socket.connected(to: port)
      try client?.send(Array(Self.right.utf8))
      try await Self.waiting { [client] in try client?.waitForFirst() }
      var last = -1
      // Nothing more is written once the buffers of both sockets are full.
      try await eventually {
        defer { last = written.with { $0 } }
        try await Task.sleep(for: .milliseconds(100))
        return written.with { $0 } == last
      }
      #expect(last < 64 << 20)
      client?.becomeAbrupt()
      client = nil
      try await eventually { isCancelled.with { $0 } }
    }
  }

  @Test("Cancelling a server closes its open connections")
  func cancelled() async throws {
    let client = Locked<Socket?>(nil)
    try await Self.serve { port in
      let socket = try Socket.connected(to: port)
      try socket.send(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
      _ = try await Self.waiting { try socket.receive(1) }
      client.with { $0 = socket }
    }
    let rest = try await Self.waiting { client.with { $0 }?.receiveAll() }
    #expect(rest?.hasSuffix("GET / 0") == true)
  }
}
