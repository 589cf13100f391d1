/// Reads evemu recordings of a mouse: lines `E: seconds.microseconds type code value`, type and code in hexadecimal
/// (linux/input-event-codes.h), grouped by SYN_REPORT. Descriptions of the device and comments are passed over.
public enum Evemu {
  /// The inputs of a recording, their times from its first event.
  /// - Throws: `InputError.notAnEvent` with the line, `InputError.empty`.
  public static func script(_ text: some StringProtocol) throws(InputError) -> MouseScript {
    var group = Group()
    var inputs: [MouseInput] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      guard let event = try event(String(line), number: index + 1) else { continue }
      if let input = group.take(event) { inputs.append(input) }
    }
    guard !inputs.isEmpty else { throw InputError.empty }
    return MouseScript(inputs)
  }

  private struct Event {
    var microseconds: Int64
    var type: UInt16
    var code: UInt16
    var value: Int
  }

  /// The event on a line, or nil where there is none.
  private static func event(_ line: String, number: Int) throws(InputError) -> Event? {
    let bare = line.prefix { $0 != "#" }
    let words = bare.split(whereSeparator: \.isWhitespace)
    guard let first = words.first else { return nil }
    if ["N:", "I:", "P:", "B:", "A:", "L:", "S:"].contains(first) { return nil }
    guard first == "E:", words.count == 5, let time = microseconds(words[1]),
      let type = UInt16(words[2], radix: 16), let code = UInt16(words[3], radix: 16), let value = Int32(words[4])
    else { throw InputError.notAnEvent(line: number, text: line) }
    return Event(microseconds: time, type: type, code: code, value: Int(value))
  }

  /// `1329846856.201613` as microseconds; exactly six decimals.
  private static func microseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 6, let seconds = UInt32(parts[0]), let rest = UInt32(parts[1])
    else { return nil }
    return Int64(seconds) * 1_000_000 + Int64(rest)
  }

  /// The events since the last SYN_REPORT.
  private struct Group {
    private var origin: Int64?
    private var latest: Int64 = 0
    private var input = MouseInput(time: 0)
    private var isEmpty = true

    /// Takes an event; a SYN_REPORT gives the input that it ends.
    mutating func take(_ event: Event) -> MouseInput? {
      let start = origin ?? event.microseconds
      origin = start
      // The clock of a recording may be set back; an input is never earlier than the one before.
      latest = max(latest, event.microseconds - start)
      switch (event.type, event.code) {
      case (0, 0): return report()
      case (2, 0): input.deltaX += event.value
      case (2, 1): input.deltaY += event.value
      case (2, 8): input.scroll += event.value
      case (1, 0x110): press(0, event.value)
      case (1, 0x111): press(1, event.value)
      case (1, 0x112): press(2, event.value)
      default: return nil
      }
      isEmpty = false
      return nil
    }

    private mutating func press(_ bit: UInt8, _ value: Int) {
      if value == 0 { input.buttons &= ~(1 << bit) } else { input.buttons |= 1 << bit }
    }

    private mutating func report() -> MouseInput? {
      guard !isEmpty else { return nil }
      isEmpty = true
      input.time = latest * 1_000
      defer { input = MouseInput(time: 0, buttons: input.buttons) }
      return input
    }
  }
}
