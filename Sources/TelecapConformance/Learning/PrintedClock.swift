import TelecapRecording
import TelecapText

/// A clock that stands in the lines of a program, as it runs beside ours.
struct PrintedClock {
  /// Where it stands; the first number of text.
  let name: String
  /// How often it went back.
  let restarts: Int

  /// Numbers that are fewer are no clock.
  private static let fewest = 10
  /// How many of its units are a second.
  private static let units: [Double] = [1, 1e3, 1e6, 1e9]

  /// A clock of these records that began again, as where it counts from the beginning of each session; nil where none did.
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
    /// In ns, by our clock and by this one in units of its own.
    let time: Double
    let value: Double

    init(_ record: SeenRecord, _ node: JSONNode) { (time, value) = (Double(record.time), node.meantNumber ?? 0) }
  }

  /// How often it went back, where between that it goes as ours does, and further than to a few steps; nil where it is none.
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
