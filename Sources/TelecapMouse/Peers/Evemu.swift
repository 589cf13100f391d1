import TelecapModels
import TelecapRecording
import TelecapText

/// Parses recordings of a mouse in two formats. Those of evemu have lines `E: seconds.microseconds type code value`,
/// with type and code in hexadecimal (linux/input-event-codes.h), grouped by SYN_REPORT. Those of `libinput record`
/// have `- [seconds, microseconds, type, code, value]`, all in decimal. Descriptions of the device and comments are
/// ignored. The inputs of several devices in a libinput recording are merged by time, because one pointer follows all
/// mice; a button is held while one of them holds it.
public enum Evemu {
  /// The content of a recording.
  public struct Recording: Sendable {
    /// The inputs, with times from its first event.
    public var script: MouseScript
    /// The time of its first event, ns, since 1970 or since the start of the machine.
    public var began: Nanoseconds
    /// The number of ignored events, such as those of a horizontal wheel.
    public var left: Int
  }

  /// The maximum movement in a recording, in counts: the sum of the larger delta of each input. A packet moves by 127,
  /// and all packets are in memory.
  public static let farthest = 1 << 28

  /// The inputs of a recording, with times from its first event.
  /// - Throws: `EvemuError.notAnEvent` and `EvemuError.tooFar` with the line, `EvemuError.notText`, `EvemuError.empty`.
  public static func script(_ text: some StringProtocol) throws(EvemuError) -> MouseScript {
    try recording(text).script
  }

  /// The same with its metadata.
  /// - Throws: `EvemuError.notAnEvent` and `EvemuError.tooFar` with the line, `EvemuError.notText`, `EvemuError.empty`.
  public static func recording(_ text: some StringProtocol) throws(EvemuError) -> Recording {
    // Convert to String, so that the loop over the lines is specialised.
    let text = String(text)
    if text.utf8.contains(0) { throw EvemuError.notText }
    var devices = [Group()]
    var inputs: [(device: Int, input: MouseInput)] = []
    var distance = 0
    let isLibinput = text.lines.contains { $0.hasPrefix("libinput:") }
    for (index, line) in text.lines.enumerated() {
      let text = String(line)
      // libinput lists the events of each device separately, all from the start of the recording.
      if isLibinput, text.hasPrefix("- node:"), devices[devices.count - 1].origin != nil { devices.append(Group()) }
      let event = try isLibinput ? libinputEvent(text, number: index + 1) : event(text, number: index + 1)
      guard let event, let input = devices[devices.count - 1].take(event) else { continue }
      distance = distance.saturatingAdding(max(abs(input.deltaX), abs(input.deltaY)))
      guard distance <= farthest else { throw EvemuError.tooFar(line: index + 1) }
      inputs.append((devices.count - 1, input))
    }
    guard !inputs.isEmpty else { throw EvemuError.empty }
    let began = (devices.compactMap(\.origin).min() ?? 0) * 1_000
    return Recording(
      script: MouseScript(merged(inputs, of: devices.count, since: began)), began: began,
      left: devices.reduce(0) { $0 + $1.left })
  }

  /// The inputs of all devices by time; of two at one time that of the earlier device first.
  private static func merged(
    _ inputs: [(device: Int, input: MouseInput)], of devices: Int, since began: Nanoseconds
  ) -> [MouseInput] {
    var held = [UInt8](repeating: 0, count: devices)
    let order = inputs.indices.sorted { (inputs[$0].input.time, $0) < (inputs[$1].input.time, $1) }
    return order.map { place in
      var (device, input) = inputs[place]
      held[device] = input.buttons
      input.buttons = held.reduce(0, |)
      input.time -= began
      return input
    }
  }

  /// The event on a line of `libinput record`; nil if there is none. Only events start with a bracket.
  private static func libinputEvent(_ line: String, number: Int) throws(EvemuError) -> Event? {
    let bare = line.prefix { $0 != "#" }
    guard let open = bare.firstIndex(of: "["), bare[..<open].allSatisfy({ $0 == " " || $0 == "-" }) else { return nil }
    guard let close = bare.lastIndex(of: "]") else { throw EvemuError.notAnEvent(line: number, text: line) }
    let numbers = bare[bare.index(after: open)..<close].split(separator: ",")
      .compactMap { Int64(String($0.filter { $0 != " " })) }
    guard numbers.count == 5, let type = UInt16(exactly: numbers[2]), let code = UInt16(exactly: numbers[3]),
      let value = Int32(exactly: numbers[4]), let seconds = UInt32(exactly: numbers[0]),
      let rest = UInt32(exactly: numbers[1])
    else { throw EvemuError.notAnEvent(line: number, text: line) }
    return Event(microseconds: Int64(seconds) * 1_000_000 + Int64(rest), type: type, code: code, value: Int(value))
  }

  private struct Event {
    var microseconds: Int64
    var type: UInt16
    var code: UInt16
    var value: Int
  }

  /// The event on a line; nil if there is none.
  private static func event(_ line: String, number: Int) throws(EvemuError) -> Event? {
    let bare = line.prefix { $0 != "#" }
    let words = bare.split(whereSeparator: \.isWhitespace)
    guard let first = words.first else { return nil }
    if ["N:", "I:", "P:", "B:", "A:", "L:", "S:"].contains(first) { return nil }
    guard first == "E:", words.count == 5, let time = microseconds(words[1]),
      let type = UInt16(words[2], radix: 16), let code = UInt16(words[3], radix: 16), let value = Int32(words[4])
    else { throw EvemuError.notAnEvent(line: number, text: line) }
    return Event(microseconds: time, type: type, code: code, value: Int(value))
  }

  /// `1329846856.201613` in microseconds; requires six decimals.
  private static func microseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 6, let seconds = UInt32(parts[0]), let rest = UInt32(parts[1])
    else { return nil }
    return Int64(seconds) * 1_000_000 + Int64(rest)
  }

  /// The events since the last SYN_REPORT.
  private struct Group {
    private(set) var origin: Int64?
    /// The number of ignored events.
    private(set) var left = 0
    private var latest: Int64 = 0
    private var input = MouseInput(time: 0)
    /// The buttons that were held at the last SYN_REPORT.
    private var reported: UInt8 = 0
    private var isEmpty = true
    /// Whether the kernel's buffer has overflowed: events up to the next SYN_REPORT are an incomplete group
    /// (linux/input.h, SYN_DROPPED).
    private var isDropping = false

    /// Adds an event; a SYN_REPORT returns the input that it ends, with its time in ns of the recording's clock.
    mutating func take(_ event: Event) -> MouseInput? {
      let start = origin ?? event.microseconds
      origin = start
      // The clock of a recording may be set back; an input is never earlier than the one before.
      latest = max(latest, event.microseconds - start)
      if isDropping || (event.type, event.code) == (0, 3) {
        drop(until: (event.type, event.code) == (0, 0))
        return nil
      }
      switch (event.type, event.code) {
      case (0, 0): return report()
      case (2, 0): input.deltaX += event.value
      case (2, 1): input.deltaY += event.value
      case (2, 8): input.scroll += event.value
      case (1, 0x110): press(0, event.value)
      case (1, 0x111): press(1, event.value)
      case (1, 0x112): press(2, event.value)
      default:
        // SYN and MSC events, such as the end of a group and scan codes, are not inputs.
        if event.type != 0, event.type != 4 { left += 1 }
        return nil
      }
      isEmpty = false
      return nil
    }

    /// Handles lost events: discards the current group, and keeps the held buttons.
    private mutating func drop(until isReport: Bool) {
      isDropping = !isReport
      isEmpty = true
      input = MouseInput(time: 0, buttons: reported)
    }

    private mutating func press(_ bit: UInt8, _ value: Int) {
      if value == 0 { input.buttons &= ~(1 << bit) } else { input.buttons |= 1 << bit }
    }

    private mutating func report() -> MouseInput? {
      guard !isEmpty else { return nil }
      isEmpty = true
      reported = input.buttons
      input.time = ((origin ?? 0) + latest) * 1_000
      defer { input = MouseInput(time: 0, buttons: input.buttons) }
      return input
    }
  }
}
