import CSockets
import TelecapConformance
import TelecapRecording

/// One POST request of HTTP/1.1 to a server on this machine, over a new connection. Only the status of the answer is
/// read, not its content.
struct HTTPRequest {
  private let url: LoopbackURL
  private let body: String

  /// The maximum length of an answer's head.
  private static let longestHead = 64 << 10

  /// Nil where `url` is not on this machine.
  init?(_ url: String, body: String) {
    guard let url = LoopbackURL(url) else { return nil }
    (self.url, self.body) = (url, body)
  }

  /// The bytes of the request.
  var bytes: [UInt8] {
    let isJSON = body.hasPrefix("{") || body.hasPrefix("[")
    let head = [
      "POST \(url.target) HTTP/1.1", "Host: \(url.place)", "Connection: close",
      "Content-Type: \(isJSON ? "application/json" : "text/plain; charset=utf-8")",
      "Content-Length: \(body.utf8.count)",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }

  /// Sends it and waits for the head of the answer.
  /// - Returns: the reason why it failed; nil for a status of 200 to 299.
  /// - Throws: errors of `wait`.
  func send(withinNanoseconds limit: Nanoseconds, waiting wait: () throws -> Bool) throws -> String? {
    let deadline = telecap_monotonic_ns() &+ limit
    let stream: StreamSender
    do {
      guard let end = try HostPort(parsing: url.place).resolve().first else { return "it has no address" }
      let policy = DestinationPolicy(.loopback, broadcastAddresses: [])
      stream = try StreamSender(to: end, policy: policy, timeoutMilliseconds: 1_000)
      try stream.send(bytes.span.bytes)
    } catch {
      return "\(error)"
    }
    var answer: [UInt8] = []
    while true {
      do {
        try stream.pump()
        while try stream.receive({ _, bytes in bytes.withUnsafeBytes { answer += $0 } }) {}
      } catch {
        return "\(error)"
      }
      if let status = HTTPRequest.status(in: &answer) {
        return status.hasPrefix("2") ? nil : "it answered \(status)"
      }
      if stream.peerEnded { return "it ended the connection without an answer" }
      if answer.count > HTTPRequest.longestHead { return "what it answered is no HTTP" }
      guard telecap_monotonic_ns() < deadline else { return "it did not answer within \(limit / 1_000_000_000) s" }
      guard try wait() else { return "it was broken off" }
    }
  }

  /// The status and its reason, `404 Not Found`, once the head of an answer is complete; one of 100 to 199 comes before
  /// it, and is removed.
  static func status(in answer: inout [UInt8]) -> String? {
    while let end = answer.indices.first(where: { answer[$0...].starts(with: "\r\n\r\n".utf8) }) {
      let line = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2, words[0].hasPrefix("HTTP/1.") else { return "\"\(line)\", which is no HTTP" }
      if !words[1].hasPrefix("1") { return words[1] }
      answer.removeFirst(end + 4)
    }
    return nil
  }
}
