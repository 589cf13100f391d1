import TelecapConformance
import TelecapRecording
import TelecapText

/// How one exploration came out: a line, and the smallest run that broke something. As JSON an object a line.
public struct ExplorationText: PrintedResult {
  private let exploration: Exploration

  /// The text of an exploration.
  public init(_ exploration: Exploration) { self.exploration = exploration }

  /// `PASS model:phone haptic, 3 messages of tele.haptic.zero-stops, 13 values in the middle: 712 runs`.
  public var lines: [String] {
    let one = exploration
    let values = one.values == 0 ? "" : ", \(one.values) value\(one.values == 1 ? "" : "s") in the middle"
    let head =
      "\(ExplorationText.word(one.verdict)) \(one.system) \(one.stream), \(one.messages) messages of \(one.scenario)"
      + "\(values): \(Numbers.grouped(one.runs)) runs"
    guard let smallest = one.smallest else { return [head.printable] }
    let order = smallest.delivered.map(String.init).joined(separator: ", ")
    let changed = smallest.changed.isEmpty ? "" : ", \(smallest.changed)"
    let when = "     when \(order) \(smallest.delivered.count == 1 ? "arrives" : "arrive in this order")\(changed):"
    return ([head, when] + smallest.broken.map { "     \($0.requirement.id): \(ExplorationText.how($0))" })
      .map(\.printable)
  }

  /// The same as one object of JSON.
  public func write(to json: inout JSONWriter) {
    let one = exploration
    json.beginObject()
    json.put("system", one.system)
    json.put("verdict", one.verdict.rawValue)
    json.put("stream", one.stream)
    json.put("scenario", one.scenario)
    json.put("alike", texts: one.alike)
    json.put("messages", one.messages)
    json.put("values", one.values)
    json.put("runs", one.runs)
    json.put("judged", one.judged)
    json.put("seconds", Double(one.duration) / 1e9)
    if let smallest = one.smallest {
      json.beginObject("smallest")
      json.beginArray("delivered")
      for packet in smallest.delivered { json.put(nil, packet) }
      json.endArray()
      if !smallest.changed.isEmpty { json.put("changed", smallest.changed) }
      json.beginArray("broken")
      for check in smallest.broken {
        json.beginObject()
        json.put("requirement", check.requirement.id)
        json.put("how", ExplorationText.how(check))
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endObject()
    json.endLine()
  }

  private static func how(_ check: Check) -> String {
    check.first.map { "expected \($0.expected), observed \($0.observed)" } ?? ""
  }

  private static func word(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: "PASS"
    case .fail: "FAIL"
    default: "INCONCLUSIVE"
    }
  }
}

/// The sum of all explorations, for the last line; JSON has none, because each of its lines is an exploration.
public struct ExplorationSum: PrintedResult {
  private var done: [Verdict: Int] = [:]
  private var runs = 0
  private var duration: Nanoseconds = 0
  private let messages: Int
  /// Somebody broke it off: there would have been more.
  public var isBrokenOff = false

  /// Nothing explored yet, of so many messages each.
  public init(messages: Int) { self.messages = messages }

  /// Adds one.
  public mutating func add(_ one: Exploration) {
    done[one.verdict, default: 0] += 1
    runs += one.runs
    duration += one.duration
  }

  /// Whether at least one exploration ran, and all passed.
  public var isRight: Bool { done[.pass, default: 0] > 0 && done.count == 1 }

  /// `PASS: none of 26 beginnings broke a rule, up to 5 messages; 5,469,494 runs in 8.640 s, 633,125 a second`.
  public var lines: [String] {
    let seconds = Double(duration) / 1e9
    let rate =
      seconds > 0 ? " in \(Numbers.fixed(seconds, 3)) s, \(Numbers.grouped(Int(Double(runs) / seconds))) a second" : ""
    let all = done.values.reduce(0, +)
    let failed = done[.fail, default: 0]
    let unclear = done[.inconclusive, default: 0]
    if isBrokenOff {
      let words = failed > 0 ? "\(failed) broke a rule" : "none broke a rule"
      let what = "BROKEN OFF: of \(all) beginnings that were explored to their end \(words)"
      return ["\(what); \(Numbers.grouped(runs)) runs\(rate)"]
    }
    if all == 0 { return ["INCONCLUSIVE: no scenario that was chosen sends two datagrams of a stream to a model"] }
    let what =
      failed > 0
      ? "FAIL: \(failed) of \(all) beginnings broke a rule"
      : unclear > 0
        ? "INCONCLUSIVE: \(unclear) of \(all) beginnings had no verdict"
        : "PASS: none of \(all) beginnings broke a rule"
    return ["\(what), up to \(messages) messages; \(Numbers.grouped(runs)) runs\(rate)"]
  }

  public func write(to json: inout JSONWriter) {}
}
