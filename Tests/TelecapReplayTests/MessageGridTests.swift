import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// The counts of a replay's grid come from three sources: the plan, the deliveries and the receiver's events. They add up
/// whatever the network does.
@Suite struct MessageGridTests {
  private static let networks = [
    "", "--loss 30%", "--duplicate 40%", "--reorder 30%,3", "--delay 20ms --jitter 15ms", "--corrupt 30%",
    "--hostile 30%",
    "--rate 64kbit,3", "--stall 60ms@80ms",
    "--loss 10% --delay 20ms --jitter 20ms --reorder 10%,2 --duplicate 20% --corrupt 10% --hostile 10%",
  ]

  /// Fails unless the sums of each row close, and those of all rows are the plan's.
  private func expectClosed(_ report: ReplayReport, _ words: String) throws {
    let rows = try #require(report.grid).rows
    for row in rows { #expect(row.undelivered == 0 && row.unaccounted == 0, "\(words): \(row)") }
    #expect(rows.contains { $0.reactions != nil }, "\(words)")
    #expect(rows.reduce(0) { $0 + $1.sent } == report.rates.packets, "\(words)")
    #expect(rows.reduce(0) { $0 + $1.dropped } == report.rates.packets - report.rates.delivered, "\(words)")
    #expect(rows.reduce(0) { $0 + ($1.delivered ?? 0) } == report.packets, "\(words)")
  }

  @Test("The sums of each row close for TELE", arguments: networks)
  func tele(_ network: String) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let report = try ReplayRun.poses(60, network, seed: seed).againstModel().report
      try expectClosed(report, "\(network) --seed \(seed)")
    }
  }

  @Test("The sums of each row close for a protocol in a file", arguments: networks)
  func declared(_ network: String) throws {
    let lamp = try ProtocolFile.read(
      """
      protocol: lamp
      carriers: [{name: udp, over: udp, port: 7000}]
      header: [{name: type, type: u8, is: type}]
      messages: [{name: DIM, type: 1, from: client, fields: [{name: number, type: u16}, {name: level, type: f32}]}]
      session: {opens: with-any-message}
      streams: [{name: level, message: DIM, order: number, values: [level]}]
      """, file: "lamp.yaml")
    var list = PacketList(interface: "test")
    let up = Flow(.udp, from: PacketList.phone, to: Endpoint(PacketList.host.address, port: 7000))
    for number in 0..<60 as Range<UInt8> {
      try list.add([1, number, 0, 0, 0, 0, 0x3f], up, at: Timestamp(nanoseconds: Int64(number) * 5_000_000))
    }
    let source = ReplaySource(list, name: "lamp", as: Role(lamp, .client), ports: Ports([lamp]), in: .builtIn)
    let impairments = network.isEmpty ? .none : try Impairments(parsing: network)
    for seed in 1...5 as ClosedRange<UInt64> {
      let run = try ReplayRun(of: source, suites: Suites([.declared(by: lamp)])) { survey in
        PlanHeader(seed: seed, capture: survey.digest.description, selection: "", impairments: impairments)
      }
      try expectClosed(try run.againstModel().report, "\(network) --seed \(seed)")
    }
  }

  @Test("Duplicates, stale messages and those without a session are counted separately")
  func reactions() throws {
    func pose(_ network: String) throws -> MessageGrid.Row {
      let grid = try #require(try ReplayRun.poses(50, network).againstModel().report.grid)
      return try #require(grid.rows.first { $0.message == "POSE" })
    }
    let twice = try pose("--duplicate 100%")
    #expect(twice.sent == 50 && twice.duplicated == 50 && twice.delivered == 100)
    #expect(twice.reactions?.applied == 50 && twice.reactions?.stale == 50 && twice.reactions?.refused == 0)
    let corrupted = try pose("--corrupt 100%")
    #expect(corrupted.delivered == 50 && corrupted.reactions.map { $0.refused > 0 } == true, "\(corrupted)")
  }

  @Test("Against one of our peers over sockets they close too", .real("sockets"))
  func peer() async throws {
    let (report, _) = try await ReplayRun.poses(30, "--duplicate 50%").againstPeer(wait: .milliseconds(50))
    let rows = try #require(report.grid).rows
    let pose = try #require(rows.first { $0.message == "POSE" })
    #expect(pose.sent == 30 && pose.forwarded == pose.delivered && pose.unaccounted == 0, "\(pose)")
  }

  @Test("Without an observed receiver there are the counts of the plan, unless the replay was stopped")
  func unobserved() throws {
    var report = try ReplayRun.poses(20, "--loss 50%").againstModel().report
    report.oracle = nil
    let row = try #require(report.grid?.rows.last)
    #expect(row.message == "POSE" && row.sent == 20 && row.dropped > 0 && row.delivered == nil && row.reactions == nil)
    report.isStopped = true
    #expect(report.grid == nil)
  }
}
