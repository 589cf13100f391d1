import TelecapFiles
import TelecapRecording
import TelecapStore

/// A capture's mouse messages as an evemu recording, which evemu can play on Linux: one frame for each time of arrival,
/// so that a movement split over packets is joined again.
public struct EvemuExport {
  private let reader: CaptureReader
  private let condition: String?

  /// The messages that `condition` (SQL) selects, if they are a mouse's.
  public init(_ reader: CaptureReader, where condition: String?) { (self.reader, self.condition) = (reader, condition) }

  /// Writes the recording.
  ///
  /// - Returns: the number of frames.
  /// - Throws: `FileError` or `StoreError`.
  @discardableResult
  public func write(to path: String, force: Bool) throws -> Int {
    var output = try Output(path: path, force: force)
    for line in EvemuExport.device { try output.line(line) }
    var frame: Frame?
    var (frames, buttons, origin): (Int, Int64, Timestamp?) = (0, 0, nil)
    let columns = ["packet", "delta_x", "delta_y", "scroll", "buttons"]
    let mouse = "protocol = 'mouse' AND severity IS NOT 'error'"
    try reader.forEachRow(of: columns, where: condition, and: mouse) { _, values in
      let numbers = values.map { if case .integer(let number) = $0 { number } else { Int64(0) } }
      guard let arrival = try reader.time(ofPacket: Int(numbers[0])) else { return }
      // Times of such a file are unsigned: a recording from before 1970 starts at 0.
      let first = origin ?? min(.zero, arrival)
      origin = first
      let time = max(0, arrival.nanoseconds(since: first))
      if let before = frame, before.time != time {
        frames += try before.write(&output, &buttons)
        frame = nil
      }
      var next = frame ?? Frame(time: time, buttons: buttons)
      next.add(numbers)
      frame = next
    }
    if let frame { frames += try frame.write(&output, &buttons) }
    try output.finish()
    return frames
  }

  /// The messages of one time.
  private struct Frame {
    let time: Nanoseconds
    var buttons: Int64
    private var (x, y, wheel): (Int64, Int64, Int64) = (0, 0, 0)

    init(time: Nanoseconds, buttons: Int64) { (self.time, self.buttons) = (time, buttons) }

    mutating func add(_ numbers: [Int64]) {
      (x, y, wheel) = (x + numbers[1], y + numbers[2], wheel + numbers[3])
      buttons = numbers[4] & 7
    }

    /// Writes its events, if any, and the report that ends them.
    func write(_ output: inout Output, _ before: inout Int64) throws -> Int {
      var events: [(type: String, code: String, value: Int64)] = []
      for (bit, code) in [(Int64(1), "0110"), (2, "0111"), (4, "0112")] where buttons & bit != before & bit {
        events.append(("0001", code, buttons & bit == 0 ? 0 : 1))
      }
      for (code, value) in [("0000", x), ("0001", y), ("0008", wheel)] where value != 0 {
        events.append(("0002", code, value))
      }
      before = buttons
      guard !events.isEmpty else { return 0 }
      let microseconds = time / 1_000
      let rest = "\(microseconds % 1_000_000)"
      let stamp = "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
      for event in events + [("0000", "0000", 0)] {
        try output.line("E: \(stamp) \(event.type) \(event.code) \(event.value)")
      }
      return 1
    }
  }

  /// A mouse with three buttons and a wheel, as evemu describes devices (evemu 1.3; linux/input-event-codes.h).
  private static let device: [String] = {
    func bits(_ type: String, _ codes: [Int], bytes: Int) -> [String] {
      var field = [UInt8](repeating: 0, count: bytes)
      for code in codes { field[code / 8] |= 1 << UInt8(code % 8) }
      return stride(from: 0, to: bytes, by: 8).map { start in
        "B: \(type) " + Hex.text(field[start..<min(bytes, start + 8)], separator: " ")
      }
    }
    return [
      "# EVEMU 1.3", "# written by telecap from a capture of the iPhone mouse", "N: telecap mouse",
      "I: 0003 0000 0000 0001",
    ]
      + ["P: 00 00 00 00 00 00 00 00"] + bits("00", [0, 1, 2], bytes: 8) + bits("01", [0x110, 0x111, 0x112], bytes: 96)
      + bits("02", [0, 1, 8], bytes: 8)
  }()
}
