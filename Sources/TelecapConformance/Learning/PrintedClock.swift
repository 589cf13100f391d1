import TelecapRecording
import TelecapText

/// A clock in the output of a program that runs like ours.
struct PrintedClock {
  /// Its path; for text, the first number of a line.
  let name: String
  /// The number of times that it went back.
  let restarts: Int

  /// The minimum number of readings of a clock.
  private static let fewest = 10
  /// Units per second.
  private static let units: [Double] = [1, 1e3, 1e6, 1e9]

  /// A clock of these records that restarted, as one that counts from the start of each session; nil where none did.
  static func restarting(in records: [SeenRecord]) -> PrintedClock? {
    var readings: [Place: [Reading]] = [:]
    for record in records {
      if record.words != nil {
        guard let first = record.values.first(where: { $0.value.meantNumber != nil }) else { continue }
        readings[Place(source: record.source, path: []), default: []].append(Reading(record, first.value))
      } else {
        for (path, value) in record.values where value.meantNumber?.isFinite == true && !value.isFlag {
          readings[Place(source: record.source, path: path), default: []].append(Reading(record, value))
        }
      }
    }
    let clocks = readings.filter { $0.value.count >= fewest }.compactMap { place, readings in
      restarts(of: readings).map { PrintedClock(name: place.name, restarts: $0) }
    }
    return clocks.min { $0.name < $1.name }
  }

  private struct Place: Hashable {
    let source: SystemFile.Source
    let path: [String]

    var name: String { path.isEmpty ? "the first number of a line" : "\"\(path.joined(separator: "."))\"" }
  }

  private struct Reading {
    /// The time in ns by our clock, and the reading in its own unit.
    let time: Double
    let value: Double

    init(_ record: SeenRecord, _ node: JSONNode) { (time, value) = (Double(record.time), node.meantNumber ?? 0) }
  }

  /// The number of restarts, if it otherwise runs like our clock and for more than a few steps; nil for other numbers.
  private static func restarts(of readings: [Reading]) -> Int? {
    var (ours, theirs, restarts) = (0.0, 0.0, 0)
    for (one, next) in zip(readings, readings.dropFirst()) {
      if next.value < one.value {
        restarts += 1
      } else {
        ours += next.time - one.time
        theirs += next.value - one.value
      }
    }
    // Numbers that rise and fall are measures.
    guard restarts > 0, restarts * 4 < readings.count, ours > 1e9 else { return nil }
    return units.contains { (theirs / $0 * 1e9 / ours - 1).magnitude < 0.1 } ? restarts : nil
  }
}
