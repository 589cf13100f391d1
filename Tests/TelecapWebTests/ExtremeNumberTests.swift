import Foundation
import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import TelecapWire
import Testing

@testable import TelecapWeb

/// Numbers at the ends of what an Int64 holds, from requests and from captures: every page answers.
@Suite("Extreme numbers in requests and captures") struct ExtremeNumberTests {
  private static let gate = PageGate(token: "t", hosts: ["h"])
  private static let numbers = [
    "-9223372036854775808", "9223372036854775807", "-9223372036854775807", "9223372036854775808",
    "18446744073709551615",
    "-1", "0", "1", "10", "1e308", "-1e308", "1e-320", "9.3e9", "-9.3e9", "1e19", "inf", "-inf", "nan", "0x1p1023", "",
    "999999999999999999999999999", "-0.0", "1_000", "٣",
  ]
  /// The addresses below a capture's, with the parameters that each of them reads.
  private static let pages: [(path: String, parameters: [String])] = [
    ("", ["x"]),
    ("timeline", ["from", "until"]), ("timeline/figures", ["from", "until"]),
    ("packets", ["message", "packet", "at", "before", "after", "newest"]),
    ("packets/rows", ["message", "packet", "at", "before", "after", "newest"]),
    ("packets/detail", ["message", "packet", "at", "before", "after", "newest"]),
  ]
  private static let sliders = ["loss", "delay", "jitter", "reorder", "duplicate", "stall", "hostile", "seed"]

  private static func answers(
    of recording: Recording, to requests: [(path: String, query: [String: String])]
  ) async throws -> [PageAnswer] {
    try await recording.withCapture { reader, _ in
      let server = try PageServer(
        [ShownCapture(name: "a", recording: recording, reader: reader)], at: HostPort(host: "127.0.0.1", port: nil),
        suites: .all, tool: "test")
      // The pages that need all of the capture are asked for once it has been read.
      try await eventually {
        await !server.answer(PageRequest(path: "/t/0/", host: "h"), gate).body.contains("data-waiting>")
      }
      var answers: [PageAnswer] = []
      for request in requests {
        answers.append(
          await server.answer(PageRequest(path: "/t/0/\(request.path)", query: request.query, host: "h"), gate))
      }
      return answers
    }
  }

  /// A request for each parameter with each number, and some for two of a page at once.
  private static let requests = single + sampled(double, oneIn: 7)
  private static let single = pages.flatMap { page in
    page.parameters.flatMap { name in numbers.map { (path: page.path, query: [name: $0]) } }
  }
  private static let double = pages.flatMap { page in
    page.parameters.flatMap { name in
      numbers.map { number in
        let other = page.parameters.first { $0 != name } ?? name
        return (path: page.path, query: [other: numbers[0]].merging([name: number]) { $1 })
      }
    }
  }

  @Test("Every query parameter accepts every number: the page answers, and the server goes on")
  func everyParameter() async throws {
    let recording = try RecordingFiles.standard.recording(Project.file("Captures/malformed.pcapng").path)
    // Five and the count of the numbers have no factor in common: each parameter gets some of them.
    let requests = sampled(Self.requests, oneIn: 5)
    for (request, answer) in zip(requests, try await Self.answers(of: recording, to: requests)) {
      #expect([200, 400].contains(answer.status), "\(request): \(answer.body.prefix(200))")
    }
  }

  @Test("Every slider of what-if accepts every number")
  func everySlider() async throws {
    let recording = try RecordingFiles.standard.recording(Project.file("Captures/busy.pcapng").path)
    let all = Self.sliders.flatMap { name in Self.numbers.map { (path: "what-if/figures", query: [name: $0]) } }
    let requests = sampled(all, oneIn: 5) + [("what-if/figures", ["loss": "1e-320"])]
    for (request, answer) in zip(requests, try await Self.answers(of: recording, to: requests)) {
      #expect([200, 400].contains(answer.status), "\(request): \(answer.body.prefix(200))")
    }
  }

  /// Times of packets that lie at the ends of an Int64, in several orders.
  private static let times: [[Int64]] = [
    [.min, .max], [.max, .min], [.min, 0, .max], [.max, .max - 1, .min, .min + 1], [.min, .min, .min],
    [.max, .max, .max],
    [0, .max, 1, .max, 2, .max],
  ]

  /// A session of many messages at these times, over and over.
  private static func recording(_ times: [Int64]) throws -> Recording {
    let phone = Endpoint(IPAddress(v4: 0xC000_0202), port: 40_001)
    let host = Endpoint(IPAddress(v4: 0xC000_0201), port: 50_000)
    let up = Flow(.udp, from: phone, to: host)
    var list = PacketList(interface: "test")
    var payloads = [(up, Bytes.hello), (up.reversed, Bytes.ack)]
    payloads += (1...40).map { (up, Bytes.pose(UInt16($0))) }
    payloads += [(up, Bytes.hello), (up.reversed, Bytes.ack)]
    for (index, (flow, bytes)) in payloads.enumerated() {
      try list.add(bytes, flow, at: Timestamp(nanoseconds: times[index % times.count]))
    }
    return RecordingFiles.standard.recording(list, ports: try RecordingFiles.standard.ports([:]))
  }

  @Test("A capture whose times are at both ends of an Int64 has a report and a summary", arguments: times)
  func reportOfExtremeTimes(_ times: [Int64]) throws {
    let recording = try Self.recording(times)
    let text = try recording.report(named: "a", tool: "test", suites: .all) { _ in }.text
    #expect(text.contains("</html>"))
    let summary = try recording.summary().summary
    #expect(!SummaryText(summary, style: .plain).lines(of: "a").isEmpty)
  }

  @Test("The pages of a capture whose times are at both ends of an Int64 answer", arguments: times)
  func pagesOfExtremeTimes(_ times: [Int64]) async throws {
    let few = sampled(Self.single, oneIn: 13)
    for (request, answer) in zip(few, try await Self.answers(of: Self.recording(times), to: few)) {
      #expect([200, 400].contains(answer.status), "\(request): \(answer.body.prefix(200))")
    }
  }

  @Test("A recording whose times are at both ends of an Int64 is replayed in virtual time", arguments: times)
  func replayOfExtremeTimes(_ times: [Int64]) throws {
    let site = WhatIfSite(try Self.recording(times), path: "a", .all)
    for loss in ["0", "50"] { _ = try? site.picture(["as": "phone", "loss": loss, "jitter": "100"]) }
  }
}
