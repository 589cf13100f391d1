import TelecapCapture
import TelecapImpairment
import TelecapRecording
import TelecapText
import TelecapWire

/// A summary of the packets to replay, computed before the replay.
public struct RecordingScan: Sendable {
  /// The fingerprint of the units.
  public private(set) var digest = CaptureDigest()
  /// The number of units.
  public private(set) var units = 0
  /// The number of datagrams and Bluetooth values among them.
  public private(set) var datagrams = 0
  /// The capture time of the first of them.
  public private(set) var start = Timestamp.zero
  /// The time from the first of them to the last, in ns.
  public private(set) var length: Nanoseconds = 0
  /// The result of the reading.
  public private(set) var reading = ReplaySource.Reading()
  /// The units themselves; nil without room for them.
  public private(set) var spool: UnitSpool?

  /// Reads the source once, and keeps its units.
  ///
  /// - Parameter limit: the maximum number of bytes to keep; a larger recording is read again instead.
  /// - Throws: `ReplayProblem.nothing` when there is nothing to replay; errors of reading.
  public init(_ source: ReplaySource, keeping limit: Int = UnitSpool.limit) throws {
    var writer = try? UnitSpoolWriter()
    reading = try source.read { unit, pieces, bytes in
      units += 1
      if units == 1 { start = unit.time }
      length = max(length, unit.time.nanoseconds(since: start))
      if unit.carrier != .tcp { datagrams += 1 }
      digest.add(time: unit.time, payload: bytes)
      RecordingScan.keep(unit, pieces, bytes, in: &writer, limit)
    }
    spool = try? writer.take()?.finish()
    guard units > 0 else {
      if let damage = reading.damage { throw damage }
      throw ReplayProblem.nothing(recording: source.name, source.role, notes: notes)
    }
  }

  /// Keeps a unit, as long as all of them fit.
  private static func keep(
    _ unit: ReplayUnit, _ pieces: [StreamPiece], _ bytes: RawSpan, in writer: inout UnitSpoolWriter?, _ limit: Int
  ) {
    do throws(ErrnoError) {
      try writer?.add(unit, pieces, bytes)
      if let count = writer?.count, count > limit { writer = nil }
    } catch {
      writer = nil
    }
  }

  /// Notes for the user before the replay, as sentences.
  public var notes: [String] {
    var lines = reading.unread
    if reading.notes.cut > 0 {
      lines.append("\(reading.notes.cut) packets were cut by the snapshot length and are left out")
    }
    if reading.notes.fragments > 0 {
      lines.append(
        "\(Numbers.counted(reading.notes.fragments, "fragmented IP datagram")) \(reading.notes.fragments == 1 ? "is" : "are") left out: "
          + "fragments are missing, truncated or overlapping")
    }
    if reading.notes.gaps > 0 {
      lines.append(
        "\(Numbers.counted(reading.notes.gaps, "gap")) in TCP streams, never captured: the bytes after a gap are sent at once"
      )
    }
    if reading.notes.besides > 0 {
      lines.append(
        "\(reading.notes.besides) values of Bluetooth left out: they came in one packet with others, and a packet is sent once"
      )
    }
    if reading.notes.hostStreams > 0 {
      lines.append(
        "TCP streams of the host left out: \(reading.notes.hostStreams); a host answers connections, it opens none")
    }
    return lines
  }
}
