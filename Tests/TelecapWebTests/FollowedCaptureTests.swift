import TelecapFiles
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapSuites
import TelecapTestSupport
import TelecapTransport
import Testing

@testable import TelecapWeb

extension WallClockSuites {
  /// Pages of a capture that is being written.
  @Suite struct FollowedCaptureTests {
    private static let gate = PageGate(token: "t", hosts: ["h"])

    private static func writer(_ path: String) throws -> CaptureWriter {
      let files = RecordingFiles.standard
      let ports = try files.ports([:])
      let info = files.maker.info(source: "test", clock: "none", ports: ports)
      let writer = try CaptureWriter(creating: path, info, files.schema)
      try writer.add(Interface(name: "test", linkType: 101))
      return writer
    }

    private static func add(_ numbers: ClosedRange<Int>, to writer: CaptureWriter) throws {
      for number in numbers {
        try writer.add(
          PacketHeader(
            number: number, time: Timestamp(nanoseconds: Int64(number) * 1_000_000_000), originalLength: 3,
            linkType: 101),
          ([1, 2, 3] as [UInt8]).span.bytes)
      }
      try writer.flush()
    }

    @Test("The pages show the packets so far, their number, and the end of the recording", .timeLimit(.minutes(10)))
    func follows() async throws {
      let folder = try Folder()
      let path = folder["a.telecap"]
      let (stop, hasBegun) = (StopFlag(), StopFlag())
      let files = RecordingFiles.standard
      let ports = try files.ports([:])
      let capture = ShownCapture(following: "a") {
        guard hasBegun.isRaised else { throw StoreError.missing(path: path) }
        return files.recorded(into: path, ports: ports)
      }
      let site = try capture.site(others: [], suites: .all, tool: "test")
      let early = try await site.answer([""], [:])
      #expect(early.body.contains("Nothing has been recorded yet.") && early.body.contains("id=\"follow\""))
      let writer = try Self.writer(path)
      try Self.add(1...2, to: writer)
      hasBegun.raise()
      let stream = try #require(site.feed?.listen())
      async let run: Void = site.run(until: stop)
      // Also where the test fails: else it would wait for ever.
      defer { stop.raise() }
      var told: [String] = []
      for await one in stream {
        told.append(one.words)
        if told.count == 1 {
          #expect(try await site.answer([""], [:]).body.contains("2 in 1.000 s"))
          try Self.add(3...5, to: writer)
        } else if told.count == 2 {
          try writer.finish(ended: Timestamp(nanoseconds: 9))
        } else {
          #expect(one.isOver)
          break
        }
      }
      await run
      #expect(told == ["2 packets, 1.0 s", "5 packets, 4.0 s", "the recording ended: 5 packets"])
      #expect(try await site.answer([""], [:]).status == 200)
    }

    @Test(
      "A recorder that is gone without finishing is reported, with the packets that it stored", .timeLimit(.minutes(10))
    )
    func broken() async throws {
      let folder = try Folder()
      let path = folder["a.telecap"]
      let files = RecordingFiles.standard
      let recording = files.recorded(into: path, ports: try files.ports([:]))
      var writer: CaptureWriter? = try Self.writer(path)
      try Self.add(1...2, to: #require(writer))
      #expect(try recording.isBeingRecorded())
      let site = try ShownCapture(following: "a") { recording }.site(others: [], suites: .all, tool: "test")
      let stream = try #require(site.feed?.listen())
      let stop = StopFlag()
      async let run: Void = site.run(until: stop)
      // Also where the test fails: else it would wait for ever.
      defer { stop.raise() }
      var told: [String] = []
      for await one in stream {
        told.append(one.words)
        // It goes without a word, as one that is killed.
        writer = nil
        if one.isOver { break }
      }
      await run
      #expect(
        told == [
          "2 packets, 1.0 s", "the recorder has ended without finishing; what it stored until then is all: 2 packets",
        ])
    }

    @Test("A capture that is being recorded is followed, and a finished one is not")
    func isBeingRecorded() throws {
      let folder = try Folder()
      let recording = { try RecordingFiles.standard.recording(folder["a.telecap"]) }
      let writer = try Self.writer(folder["a.telecap"])
      try Self.add(1...1, to: writer)
      let growth = try #require(
        try RecordingFiles.standard.recorded(into: folder["a.telecap"], ports: RecordingFiles.standard.ports([:]))
          .growth())
      #expect(growth == (1, false))
      try writer.finish(ended: Timestamp(nanoseconds: 9))
      #expect(try !recording().isBeingRecorded())
      #expect(try recording().growth()?.hasEnded == true)
    }

    @Test("A capture that is not followed has no event stream, and each event stream requires the token")
    func events() async throws {
      let capture = ShownCapture(following: "a") { throw StoreError.missing(path: "a") }
      let server = try PageServer([capture], at: HostPort(host: "127.0.0.1", port: nil), suites: .all, tool: "test")
      #expect(server.news(PageRequest(path: "/t/0/events", host: "h"), Self.gate) != nil)
      for request in [
        PageRequest(path: "/t/0/events", host: "x"), PageRequest(path: "/t/0/events", host: "h", origin: "http://x"),
        PageRequest(path: "/u/0/events", host: "h"), PageRequest(path: "/t/1/events", host: "h"),
        PageRequest(path: "/t/0/", host: "h"),
      ] {
        #expect(server.news(request, Self.gate) == nil, "\(request)")
      }
      let streams = (0..<PageFeed.mostListeners).map { _ in
        server.news(PageRequest(path: "/t/0/events", host: "h"), Self.gate)
      }
      #expect(await server.answer(PageRequest(path: "/t/0/events", host: "h"), Self.gate).status == 503)
      #expect(streams.compactMap(\.self).count == PageFeed.mostListeners)
    }
  }
}
