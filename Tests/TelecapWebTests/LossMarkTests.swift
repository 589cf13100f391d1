import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapStore
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapReport
@testable import TelecapWeb

/// The pages mark as lost the same numbers that `info` counts as lost: those that never came from the sender.
@Suite("Loss marks of the timeline") struct LossMarkTests {
  private static func text(_ session: String) -> String {
    """
    protocol: pads
    title: Pads that share a counter
    carriers: [{name: udp, over: udp, port: 7000}]
    header:
      - {name: magic, type: text 2, equals: PD, is: identity}
      - {name: type, type: u8, is: type}
    messages:
      - name: PAD
        type: 1
        from: client
        fields: [{name: n, type: u32}, {name: slot, type: u8}, {name: x, type: u8}]
      - name: GYRO
        type: 2
        from: client
        fields: [{name: n, type: u32}, {name: y, type: u8}]
    \(session)
    streams:
      - {name: pad, message: PAD, order: n, key: [slot], values: [x]}
      - {name: gyro, message: GYRO, order: n, values: [y]}
    """
  }

  /// A message: of a slot, or of the gyroscope, with this number, by a client.
  private enum Sent {
    case pad(Int, slot: UInt8, client: UInt16 = 1)
    case gyro(Int, client: UInt16 = 1)
  }

  /// The timeline and the summary of these messages, 10 ms apart.
  private func read(_ sent: [Sent], session: String) throws -> (CaptureTimeline, CaptureSummary) {
    let pads = try ProtocolFile.read(Self.text(session), file: "pads.yaml")
    let files = RecordingFiles(
      builtIn: Protocols.builtIn, declared: [pads], maker: RecordingFiles.Maker(version: "") { .zero },
      reading: { try ProtocolFile.read($0, file: $1, beside: ProtocolSurroundings($2)) })
    var list = PacketList(interface: "test")
    for (place, one) in sent.enumerated() {
      var (bytes, client) = (Array("PD".utf8), UInt16(1))
      func number(_ n: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: n >> (8 * $0)) } }
      switch one {
      case .pad(let n, let slot, let from): (bytes, client) = (bytes + [1] + number(n) + [slot, 0], from)
      case .gyro(let n, let from): (bytes, client) = (bytes + [2] + number(n) + [0], from)
      }
      let from = Endpoint(.loopback, port: 40_000 + client)
      let flow = Flow(.udp, from: from, to: Endpoint(.loopback, port: 7_000))
      try list.add(bytes, flow, at: Timestamp(nanoseconds: Int64(place) * 10_000_000))
    }
    let recording = files.recording(list, ports: try files.ports([:]))
    return try recording.withCapture { reader in
      var count = try SummaryCount(of: reader)
      let timeline = try TimelineReading(reader).whole(&count)
      return (timeline, count.summary)
    }.0
  }

  private static let sessions = ["session: {opens: with-any-message}", ""]

  @Test("A counter that all slots of a sender share leaves no gap in a slot", arguments: sessions)
  func sharedBySlots(_ session: String) throws {
    let sent = (0..<60).map { Sent.pad($0, slot: UInt8($0 % 3)) }
    #expect(try lost(sent, session) == 0)
    #expect(try lost(sent.enumerated().filter { $0.offset != 30 }.map(\.element), session) == 1)
  }

  @Test("A counter that several messages of a sender share leaves no gap, either", arguments: sessions)
  func sharedByMessages(_ session: String) throws {
    let sent = (0..<60).map { $0.isMultiple(of: 2) ? Sent.pad($0, slot: 0) : .gyro($0) }
    #expect(try lost(sent, session) == 0)
    #expect(try lost(sent.enumerated().filter { ![30, 31].contains($0.offset) }.map(\.element), session) == 2)
  }

  @Test("Slots with counters of their own have gaps of their own", arguments: sessions)
  func ownCounters(_ session: String) throws {
    let sent = (0..<60).map { Sent.pad($0 / 2, slot: UInt8($0 % 2)) }
    #expect(try lost(sent, session) == 0)
    #expect(try lost(sent.enumerated().filter { $0.offset != 30 }.map(\.element), session) == 1)
  }

  @Test("Senders without a session have a counter each")
  func senders() throws {
    let sent = (0..<60).map { Sent.pad($0 / 2 + $0 % 2 * 1_000, slot: UInt8($0 / 2 % 2), client: UInt16($0 % 2)) }
    let tracks = try read(sent, session: "").0.tracks
    #expect(tracks.count == 2 && tracks.allSatisfy { $0.count == 30 })
    #expect(tracks.allSatisfy { $0.lost.count == 0 && $0.reordered.count == 0 && $0.repeated.count == 0 })
  }

  /// How many messages the timeline marks as lost; within a session `info` counts as many.
  private func lost(_ sent: [Sent], _ session: String) throws -> Int {
    let (timeline, summary) = try read(sent, session: session)
    let marked = timeline.tracks.reduce(0) { $0 + $1.lost.count }
    let counted = summary.sessions.flatMap(\.streams).reduce(0) { $0 + $1.missing }
    if !session.isEmpty { #expect(counted == marked) }
    return marked
  }
}
