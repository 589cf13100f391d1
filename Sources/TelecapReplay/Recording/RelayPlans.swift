import TelecapFiles
import TelecapImpairment
import TelecapLoop
import TelecapRecording
import TelecapText
import TelecapTransport
import TelecapWire

/// The decisions of a relay's network on its recording, with one plan for each direction, for `replay --plan`.
public struct RelayPlans {
  /// A plan to be written.
  private struct Kept {
    let path: String
    let side: Side
    let done: ExecutedPlan
  }

  private var kept: [Kept] = []
  private let force: Bool

  /// Plans for these paths: of the packets to the target, and of those from it.
  ///
  /// - Throws: errors of `PendingFile` where one cannot be created.
  public init(up: String?, down: String?, force: Bool) throws(FileError) {
    self.force = force
    for (path, side) in [(up, Side.client), (down, .host)] {
      guard let path else { continue }
      // Create and remove the file, so that a missing folder fails before an hour of relaying.
      try PendingFile(at: path, force: force).discard()
      kept.append(Kept(path: path, side: side, done: ExecutedPlan()))
    }
  }

  /// Makes a network record its decisions.
  public func keep(by network: inout RelayNetwork) {
    network.kept = (kept.first { $0.side == .client }?.done, kept.first { $0.side == .host }?.done)
  }

  /// Checks, before the first client, that the recording of this relay can be replayed.
  ///
  /// - Throws: `ReplayProblem.noProtocol`
  func check(_ route: Relay.Route, _ ports: Ports) throws(ReplayProblem) {
    guard !kept.isEmpty, ports.dialect(of: route.recorded, over: .udp) == nil else { return }
    throw .noProtocol(at: "\(route.recorded)")
  }

  /// Writes the plans for the packets of the recording. `tell` is called with a summary of each.
  /// - Throws: errors of reading the recording and of writing the plans.
  func write(for recording: Recording, _ route: Relay.Route, _ network: RelayNetwork, tell: (String) -> Void) throws {
    guard let owner = recording.ports.dialect(of: route.recorded, over: .udp)?.owner else { return }
    for plan in kept {
      let source = try ReplaySource(recording, as: Role(owner, plan.side).name)
      do {
        try write(plan, source, network, tell: tell)
      } catch ReplayProblem.nothing {
        tell("\(plan.path) was not written: nothing of the \(source.role) was recorded")
      }
    }
  }

  private func write(_ plan: Kept, _ source: ReplaySource, _ network: RelayNetwork, tell: (String) -> Void) throws {
    let survey = try RecordingScan(source)
    let fields = MessageChanger.names(of: source.ports.protocols)
    let header = PlanHeader(
      seed: network.seed(plan.side), capture: survey.digest.description,
      impairments: plan.side == .client ? network.up : network.down)
    var out = try Output(path: plan.path, force: force)
    var text: [UInt8] = []
    PlanWriter.append(header, to: &text)
    var fates = plan.done.fates[...]
    var (start, lines) = (Timestamp?.none, 0)
    _ = try source.read { unit, _, _ in
      start = start ?? unit.time
      while let next = fates.first, next.cameAt < unit.time { fates.removeFirst() }
      guard let fate = fates.first, fate.cameAt == unit.time else { return }
      fates.removeFirst()
      let line = RelayPlans.line(of: unit, fate, after: unit.time.nanoseconds(since: start ?? unit.time))
      PlanWriter.append(line, to: &text, fields)
      lines += 1
      guard text.count > 32_768 else { return }
      try out.write(text)
      text.removeAll(keepingCapacity: true)
    }
    try out.write(text)
    try out.finish()
    tell("\(plan.path): what became of \(Numbers.counted(lines, "datagram")) of the \(source.role)")
    if plan.done.beyond > 0 {
      tell(
        "\(plan.path) ends there: \(Numbers.grouped(plan.done.beyond)) datagrams more came than the "
          + "\(Numbers.grouped(ExecutedPlan.most)) that a relay remembers")
    }
  }

  /// The line of a packet that would be sent this time after the first, in ns.
  private static func line(of unit: ReplayUnit, _ fate: ExecutedPlan.Fate, after time: Nanoseconds) -> PlanLine {
    guard var line = fate.line else { return .drop(unit.packet, by: nil) }
    line.packet = unit.packet
    for copy in 0..<line.due.count { line.due[copy] += time }
    return line
  }
}
