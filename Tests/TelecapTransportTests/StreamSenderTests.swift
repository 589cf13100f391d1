import CSockets
import TelecapRecording
import TelecapTransport
import TelecapTestSupport
import Testing

@Suite(.real("sockets")) struct StreamSenderTests {
  let policy = DestinationPolicy(.loopback)
  static let longEnough: Nanoseconds = 120_000_000_000

  @Test("A stream is sent in order and its replies come back")
  func aStreamGoesInOrderAndItsRepliesComeBack() async throws {
    let server = try await TCPServer.start(greeting: [0xff])
    let sender = try StreamSender(to: server.endpoint, policy: policy)
    for byte in UInt8(0)..<200 { try sender.send([byte, byte]) }
    var back: [UInt8] = []
    let ended = try sender.finish(withinNanoseconds: Self.longEnough, stop: StopFlag()) { reply, bytes in
      #expect(reply.flow == sender.flow.reversed)
      back += bytes.withUnsafeBytes { Array($0) }
    }
    #expect(ended)
    #expect(back == [0xff] + (UInt8(0)..<200).flatMap { [$0, $0] })
    #expect(sender.sentBytes == 400 && sender.receivedBytes == 401)
    try await server.stop()
  }

  @Test("Bytes that do not fit the socket wait and arrive whole")
  func whatDoesNotFitTheSocketWaitsAndArrivesWhole() async throws {
    let server = try await TCPServer.start(greeting: [])
    let sender = try StreamSender(to: server.endpoint, policy: policy, backlogLimit: 100_000)
    let piece = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    for _ in 0..<200 { try sender.send(piece) }
    var count = 0
    var wrong = 0
    let ended = try sender.finish(withinNanoseconds: Self.longEnough, stop: StopFlag()) { _, bytes in
      bytes.withUnsafeBytes { buffer in
        for byte in buffer {
          if byte != piece[count % piece.count] { wrong += 1 }
          count += 1
        }
      }
    }
    #expect(ended)
    #expect(count == 200 * piece.count)
    #expect(wrong == 0)
    try await server.stop()
  }

  @Test("A peer that reads nothing is an error after the stall limit")
  func aPeerThatTakesNothingIsAnErrorAfterTheStallLimit() async throws {
    let server = try await TCPServer.start(greeting: [], reads: false)
    let sender = try StreamSender(
      to: server.endpoint, policy: policy, backlogLimit: 1000, stallLimitNanoseconds: 100_000_000)
    let piece = [UInt8](repeating: 1, count: 1 << 20)
    #expect(throws: SocketError(.send, server.endpoint, code: ETIMEDOUT)) {
      for _ in 0..<64 { try sender.send(piece) }
    }
    try await server.stop()
  }

  @Test("The error for a closed port names it")
  func aClosedPortIsAnErrorThatSaysWhere() throws {
    let endpoint = try closedPort()
    do {
      _ = try StreamSender(to: endpoint, policy: policy)
      Issue.record("connected")
    } catch let error as SocketError {
      #expect(error.description == "cannot connect over TCP to \(endpoint): Connection refused")
    }
  }

  @Test("The error for too many sockets names what to do")
  func tooManySocketsAreAnErrorThatSaysWhatToDo() {
    let error = SocketError(.open, Endpoint(.loopback, port: 50000), code: EMFILE)
    #expect(
      error.description == "cannot open a UDP socket to 127.0.0.1:50000: Too many open files; "
        + "each sender of a recording has a socket of its own: ulimit -n allows more")
  }
}
