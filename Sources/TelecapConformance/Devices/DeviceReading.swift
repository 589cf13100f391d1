import TelecapModels
import TelecapRecording
import TelecapText

/// Makes the log of one run from the output of a device, by the rules of its system file.
public struct DeviceReading {
  private var rules: EventMatcher
  private var listener: any DeviceListener
  private var isDone = false
  private var log: RunLog

  /// The maximum number of lines without events that are kept of a run.
  private static let keptLines = 10_000
  /// The latest valid time of an event, in seconds.
  private static let latest = 1e9

  /// The log of a run of the device that `file` describes, from its output lines. `broke` is its exit, where it did not
  /// exit by itself and without an error.
  /// - Parameter known: the mapping statistics of earlier runs.
  public static func log(
    _ lines: [(text: [UInt8], isShown: Bool)], of script: Script, by file: SystemFile, broke: String?,
    known: MappingStatistics? = nil
  ) -> RunLog {
    guard let device = file.part.program else { return RunLog(shows: []) }
    return RunLog.reading(after: known) { _ in
      var reading = DeviceReading(script, device, file)
      for line in lines { reading.read(line.text, isShown: line.isShown) }
      return reading.finish(broke)
    }
  }

  private init(_ script: Script, _ device: DeviceProgram, _ file: SystemFile) {
    rules = EventMatcher(file.rules, file: file.file)
    listener = device.listener(script)
    log = RunLog(shows: device.shows)
    log.end = script.end
    log.said = file.said
    for sent in script.meant {
      guard case .send(let bytes, let carrier) = sent.work else { continue }
      note(.sent(bytes, packet: sent.packet, by: sent.peer, over: carrier), at: sent.time)
    }
    for action in script.actions {
      switch action.work {
      case .send(let bytes, let carrier):
        note(
          .delivered(bytes, packet: action.packet, from: action.peer, over: carrier, sentAt: action.sentAt),
          at: action.time)
      case .ask(let deed): note(.asked(deed), at: action.time)
      case .open, .close, .reset, .endSession: continue
      }
    }
  }

  private var kept = 0

  private mutating func read(_ line: [UInt8], isShown: Bool) {
    let found = rules.find(in: line, isShown: isShown)
    for one in found { read(one) }
    guard found.isEmpty, kept < DeviceReading.keptLines else { return }
    kept += 1
    note(.output(String(decoding: line, as: UTF8.self)), at: log.entries.last?.time ?? .zero)
  }

  private mutating func read(_ found: EventMatcher.Found) {
    let rule = rules.rules[found.rule]
    guard let event = rule.device else { return }
    if event == .done {
      isDone = true
      return rules.note(found, .matched(isConfirmed: true))
    }
    var problem = rules.noteFields(of: found)
    var fields = DeviceFields()
    for field in event.fields {
      fields.numbers[field.name] = field.words == nil ? rule.number(field.name, in: found.object) : nil
      fields.texts[field.name] = field.words == nil ? nil : rule.text(field.name, in: found.object)
    }
    if let lacking = event.fields.first(where: { $0.isNeeded && !rule.source(of: $0.name).stands(in: found.object) }) {
      problem = problem ?? rule.lack(of: [lacking.name])
    }
    let seconds = fields.number("t") ?? .nan
    if problem == nil, !(0...DeviceReading.latest).contains(seconds) {
      problem = "\"t\" is no time of the run: \(seconds)"
    }
    guard problem == nil else { return rules.note(found, .unread(problem ?? "")) }
    rules.note(found, .matched(isConfirmed: true))
    let time = Timestamp(nanoseconds: Int64((seconds * 1e9).rounded()))
    for one in listener.heard(event.name, fields, at: time) { note(.event(one.event), at: one.time) }
  }

  /// Appends an entry. `finish` sorts them, because a device may print any time, in any order.
  private mutating func note(_ what: RunLog.What, at time: Timestamp) { log.entries.append(RunLog.Entry(time, what)) }

  private mutating func finish(_ broke: String?) -> RunLog {
    let order = log.entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    log.entries = order.map(\.element)
    log.mapping = rules.mapping
    // An unreadable line may have been any event.
    if !rules.mapping.unreadable.isEmpty { log.shows = [] }
    let reason = broke ?? (isDone ? nil : "it ended without having said {\"event\": \"done\"}")
    if let reason { note(.broke(reason), at: log.end) }
    return log
  }
}
