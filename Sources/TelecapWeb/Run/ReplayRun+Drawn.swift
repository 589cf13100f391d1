import TelecapImpairment
import TelecapLoop
import TelecapPlatform
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapTransport

extension ReplayRun {
  /// Runs the plan against a model in virtual time, and collects the data of the picture.
  ///
  /// - Parameters:
  ///   - grid: the drawn part of the time.
  ///   - start: the start of the run, in the time of the grid.
  ///   - end: the end of the run.
  /// - Throws: any error of reading; `CancellationError` if a signal stopped it.
  func drawn(
    _ grid: TimeGrid, from start: Timestamp = .zero, until end: Timestamp
  ) throws -> (run: NetworkRun, report: ReplayReport) {
    let fates = Locked(PlannedFates(grid, start: start, feeder.changer.names))
    let (originals, copies) = (Originals(), Copies())
    var collector = RunCollector(streams, grid, start: start, originals, copies)
    let plan = UnitFeeder.Watcher(
      line: { line, time in
        fates.with { $0.add(line, sentAt: time) }
        if line.due.count > 1 { copies.expect(line.due.count, of: line.packet) }
      },
      original: { packet, bytes in originals.keep(packet, bytes) })
    let (report, _) = try withoutActuallyEscaping({ collector.read($0, at: $1) }) {
      try againstModel(telling: $0, plan: plan)
    }
    // An interrupted run is an incomplete picture.
    if report.isStopped { throw CancellationError() }
    collector.finish(at: end, fates.with { $0 })
    return (collector.run, report)
  }
}

/// Messages from before a plan changed their fields, stored by the reading thread until they are sent.
final class Originals: Sendable {
  private let kept = Locked<[Int: [UInt8]]>([:])

  func keep(_ packet: Int, _ bytes: RawSpan) {
    var copy: [UInt8] = []
    bytes.withUnsafeBytes { copy.append(contentsOf: $0) }
    kept.with { [copy] in $0[packet] = copy }
  }

  /// Removes and returns the original of a packet; nil if it was not changed.
  func take(_ packet: Int) -> [UInt8]? { kept.with { $0.isEmpty ? nil : $0.removeValue(forKey: packet) } }
}

/// Packets with several copies in flight. The reading thread adds them.
final class Copies: Sendable {
  private let left = Locked<[Int: (count: Int, hasArrived: Bool)]>([:])

  func expect(_ count: Int, of packet: Int) { left.with { $0[packet] = (count, false) } }

  /// Records an arrival; returns whether another copy had arrived before.
  func arrived(_ packet: Int) -> Bool {
    left.with { left in
      guard !left.isEmpty, let copies = left[packet] else { return false }
      left[packet] = copies.count > 1 ? (copies.count - 1, true) : nil
      return copies.hasArrived
    }
  }
}
