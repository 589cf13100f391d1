import TelecapConformance
import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapReport
import TelecapTele
import TelecapText
import TelecapWire
import Testing

/// What is printed at the end of a replay, from its values.
@Suite struct ReplayReportTests {
  private static func report() -> ReplayReport {
    let header = PlanHeader(seed: 7, capture: "c0ffee")
    var report = ReplayReport("session.pcapng", as: .phone, header, to: "udp 127.0.0.1:50000")
    report.packets = 1_201
    report.replies = [("ACK OK", 2), ("HAPTIC", 1_000)]
    var sending = SendingReport()
    (sending.sent, sending.bytes, sending.time) = (1_200, 55_200, 2_000_000_000)
    (sending.streams, sending.streamBytes) = (1, 48)
    (sending.failed, sending.lastFailure, sending.refused) = (1, "no room", 3)
    sending.streamErrors = ["cannot connect"]
    (sending.p50, sending.p95, sending.p99, sending.latest, sending.driftPPM) = (1_000, 2_000, 3_000, 4_000, 0.5)
    report.sending = sending
    return report
  }

  @Test("Names that are not ours are printable")
  func hostile() {
    var report = Self.report()
    report.recording = "\u{1b}]0;owned\u{7}.pcapng"
    report.replies = [("\u{9b}31m", 1)]
    report.sending?.streamErrors = ["\u{202e}"]
    let lines = report.text(style: .plain)
    #expect(lines[0] == "replay    phone of \\u{1b}]0;owned\\u{7}.pcapng to udp 127.0.0.1:50000")
    for line in lines { #expect(line == line.printable) }
  }

  private static let problems = [
    "failed    1 datagram: no room", "refused   3 times: nobody listens at the port", "failed    cannot connect",
  ]

  @Test("In words")
  func text() {
    #expect(
      Self.report().text(style: .plain) == [
        "replay    phone of session.pcapng to udp 127.0.0.1:50000",
        "plan      not finished, seed 7, speed 1x",
        "sent      1,200 datagrams, 55,200 bytes; 1 TCP stream, 48 bytes in 2.000 s, 600.50 packets/s",
        "replies   ACK OK 2, HAPTIC 1,000",
      ] + Self.problems)
    #expect(Self.report().text(style: .plain, verbosity: .quiet) == Self.problems)
  }

  @Test("The send timing error is shown with -v, and if a packet was later than a receiver has time to show a value")
  func timing() {
    var report = Self.report()
    let line = "timing    error p50 1.0 µs, p95 2.0 µs, p99 3.0 µs, max 4.0 µs; drift 0.50 ppm"
    #expect(!report.text(style: .plain).contains(line))
    #expect(report.text(style: .plain, verbosity: .verbose).contains(line))
    report.sending?.latest = 50_000_001
    #expect(report.text(style: .plain).contains { $0.hasPrefix("timing    error ") })
  }

  @Test("The messages are a grid: columns of zeros are left out")
  func grid() throws {
    var planned = PlannedMessages(of: Tele.wire)
    let hello = try Message.hello(sessionID: 1, code: "ABC123").bytes
    planned.add(hello.span.bytes, packet: 1, flow: 0, over: .udp)
    planned.add(.deliver(1, due: [0]))
    let pose = try Message.pose(
      seq: 1, timestampMicroseconds: 0, position: [0, 0, 0], orientation: [0, 0, 0, 1]
    ).bytes
    for packet in 2...4 { planned.add(pose.span.bytes, packet: packet, flow: 0, over: .udp) }
    // A queue decides after later packets were sent.
    for line: PlanLine in [.deliver(4, due: [0, 5]), .drop(3, by: nil), .deliver(2, due: [0])] { planned.add(line) }
    #expect(
      MessageGrid(planned, nil).lines == [
        "message  sent  dup  dropped", "HELLO       1    0        0", "POSE        3    1        1",
      ])
    var report = Self.report()
    report.messages = planned
    #expect(report.text(style: .plain).contains("POSE        3    1        1"))
    var json = JSONWriter()
    report.write(to: &json)
    #expect(json.text.contains(#"{"message":"POSE","sent":3,"duplicated":1,"dropped":1}"#))
  }

  @Test("Datagrams that the kernel dropped before telecap's receiver are reported")
  func droppedByKernel() {
    func json(_ report: ReplayReport) -> String {
      var json = JSONWriter()
      report.write(to: &json)
      return json.text
    }
    var report = Self.report()
    #expect(!report.text(style: .plain).contains { $0.hasPrefix("dropped") })
    #expect(!json(report).contains("dropped_kernel"))
    report.droppedByKernel = 1_234
    #expect(
      report.text(style: .plain).contains("dropped   1,234 by the kernel: they came faster than our host took them"))
    #expect(json(report).contains("\"dropped_kernel\":1234"))
  }

  @Test("Without sockets: how many packets went in virtual time, and no replies")
  func virtual() {
    var report = Self.report()
    (report.sending, report.replies, report.runs, report.isStopped) = (nil, [], 3, true)
    #expect(
      report.text(style: .plain).dropFirst() == [
        "plan      not finished, seed 7, speed 1x, 3 times, stopped", "sent      1,201 packets in virtual time",
      ])
  }

  @Test("In JSON, a line")
  func json() {
    var json = JSONWriter()
    Self.report().write(to: &json)
    let text = String(decoding: json.bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"{"capture":"session.pcapng","capture_digest":"c0ffee","as":"phone","to":"udp "#))
    #expect(text.contains(#""plan_digest":null"#))
    #expect(text.contains(#""sent":{"datagrams":1200,"bytes":55200,"failed":1,"refused":3,"unreachable":0,"#))
    #expect(text.hasSuffix("\"replies\":{\"ACK OK\":2,\"HAPTIC\":1000}}\n"))
  }

  @Test("Replies are counted by message and answers by status, also over a stream in any pieces")
  func replies() throws {
    var counts = ReplyCounts(to: .phone)
    let ends = (Endpoint(.loopback, port: 50_000), Endpoint(.loopback, port: 40_000))
    let (udp, tcp) = (Flow(.udp, from: ends.0, to: ends.1), Flow(.tcp, from: ends.0, to: ends.1))
    let datagrams = [Message.ack(.ok), try Message.haptic(intensity: 1), try Message.haptic(intensity: 0)]
    for message in datagrams { counts.count(message.bytes.span.bytes, of: udp) }
    for byte in try Message.ackTCP(.ok).framed(as: .teleTCP) { counts.count([byte].span.bytes, of: tcp) }
    #expect(counts.total == 4)
    #expect(counts.named.map(\.name) == ["ACK OK", "HAPTIC"])
    #expect(counts.named.map(\.count) == [2, 2])
  }

  @Test("Answers with a status that nobody defined are counted by its number, at most 256 different replies")
  func statuses() throws {
    var counts = ReplyCounts(to: .phone)
    let flow = Flow(.udp, from: Endpoint(.loopback, port: 50_000), to: Endpoint(.loopback, port: 40_000))
    let haptic = try Message.haptic(intensity: 1)
    counts.count(haptic.bytes.span.bytes, of: flow)
    for status: UInt8 in 0...255 {
      let ack = Message.ack(AckStatus(rawValue: status))
      counts.count(ack.bytes.span.bytes, of: flow)
    }
    let names = counts.named.map(\.name)
    #expect(names.contains("ACK OK") && names.contains("ACK BUSY") && names.contains("ACK 254"))
    #expect(names.count == 257 && names.contains("ACK") && names.last == "HAPTIC")
    #expect(counts.named.map(\.count) == [Int](repeating: 1, count: 257))
  }

  @Test("What would be sent: a datagram by its message, a stream's pieces by what happens to it")
  func dryRun() throws {
    let ends = (Endpoint(.loopback, port: 40_000), Endpoint(.loopback, port: 50_000))
    var list = DryRun([.teleUDP, .teleTCP])
    let hello = try Message.hello(sessionID: 1, code: "ABC123").bytes
    let datagram = DryRun.Delivery(due: 1_500_000_000, packet: 3, flow: 0, carrier: .udp, to: ends.1)
    #expect(
      list.line(datagram, hello.span.bytes)
        == "1.500000 s  packet 3  HELLO, 18 bytes, to udp 127.0.0.1:50000")
    let pieces: [StreamPiece.Kind] = [.open, .send(count: 18), .close]
    let stream = DryRun.Delivery(
      due: 0, packet: 4, flow: 1, carrier: .tcp, to: ends.1,
      pieces: pieces.map { StreamPiece(stream: 1, flow: 1, kind: $0) })
    #expect(
      list.line(stream, hello.span.bytes)
        == "0.000000 s  packet 4  open stream 1, stream 1, close stream 1, 18 bytes, to tcp 127.0.0.1:50000")
    var json = JSONWriter()
    list.write(datagram, [UInt8]([1, 2]).span.bytes, to: &json)
    #expect(
      String(decoding: json.bytes, as: UTF8.self).hasSuffix(
        #""carrier":"udp","to":"127.0.0.1:50000","bytes":2,"payload":"0102"}"# + "\n"))
  }
}
