import TelecapRecording
import TelecapReport
import TelecapText
import TelecapWire

/// The properties of a machine that telecap depends on, each with the command that mends it.
public struct MachineReport: PrintedResult {
  /// One property of the machine.
  public struct Check: Hashable, Sendable {
    /// Whether it is as good as telecap can use it.
    public enum State: String, Sendable {
      case good, limited, missing
    }

    /// A word or two: `timer`.
    public var name: String
    /// How good it is.
    public var state: State
    /// The finding, in a sentence.
    public var text: String
    /// The command or the step that mends it; nil where nothing has to be done.
    public var advice: String?
  }

  /// The checks, in the order of reports.
  public let checks: [Check]

  /// The report on a machine with these facts.
  public init(_ facts: MachineFacts) {
    checks =
      [MachineReport.capture(facts)] + [MachineReport.buffer(facts), MachineReport.timer(facts)].compactMap { $0 }
      + MachineReport.ports(facts) + facts.programs.map(MachineReport.program)
  }

  private static func capture(_ facts: MachineFacts) -> Check {
    if let problem = facts.captureProblem {
      // The error has the command that gives the right.
      return Check(name: "capture", state: .missing, text: problem, advice: nil)
    }
    let counts = facts.interfaces.map { "\($0.name.printable) \(Numbers.grouped($0.packets))" }
    let text = "interfaces can be recorded; packets in this second: \(counts.joined(separator: ", "))"
    return Check(name: "capture", state: .good, text: text, advice: nil)
  }

  private static func buffer(_ facts: MachineFacts) -> Check? {
    guard let (requested, granted) = facts.buffer else { return nil }
    let text = "\(granted >> 10) kB of the \(requested >> 10) kB that relay and simulate ask for"
    guard granted < requested else { return Check(name: "receive buffer", state: .good, text: text, advice: nil) }
    return Check(
      name: "receive buffer", state: .limited, text: text + ": datagrams of a longer burst are dropped, and counted",
      advice: "sudo sysctl -w \(MachineReport.bufferSetting(requested))")
  }

  /// The setting that lets a socket have a buffer of this many bytes.
  private static func bufferSetting(_ size: Int) -> String {
    #if os(macOS)
      // It counts the kernel's own structures too.
      "kern.ipc.maxsockbuf=\(2 * size)"
    #else
      "net.core.rmem_max=\(size)"
    #endif
  }

  /// A stream of 60 Hz notices milliseconds; limits of tens of milliseconds need a better timer than 5 ms.
  private static func timer(_ facts: MachineFacts) -> Check? {
    let times = facts.lateness
    guard !times.isEmpty else { return nil }
    // The sleep at which half, and 99 of 100, of all have ended.
    let (median, high) = (times[(times.count - 1) / 2], times[(times.count * 99 + 99) / 100 - 1])
    let text =
      "\(Numbers.counted(facts.processors, "processor")); half of the sleeps end at most \(Numbers.time(median)) late, 99 of 100 "
      + "at most \(Numbers.time(high))"
    guard high > 5_000_000 else { return Check(name: "timer", state: .good, text: text, advice: nil) }
    return Check(
      name: "timer", state: .limited, text: text,
      advice: "end other programs that keep the processors busy: next to them verdicts become inconclusive")
  }

  private static func ports(_ facts: MachineFacts) -> [Check] {
    guard facts.triedPorts > 0 else { return [] }
    if facts.taken.isEmpty {
      let text = "no other program uses one of \(Numbers.counted(facts.triedPorts, "port")) of the built-in protocols"
      return [Check(name: "ports", state: .good, text: text, advice: nil)]
    }
    return facts.taken.map { entry in
      let transport = entry.row.carrier.name
      #if os(macOS)
        let show = "sudo lsof -nP -i\(transport):\(entry.number)"
      #else
        let show = "sudo ss -ap 'sport = :\(entry.number)'"
      #endif
      return Check(
        name: "port \(entry.row.id)", state: .limited, text: "\(transport) \(entry.number) is in use",
        advice: "\(show) shows by which program; --\(entry.row.id) N uses another one")
    }
  }

  private static func program(_ need: MachineFacts.Need) -> Check {
    let names = need.names.list(or: true)
    guard let path = need.path else {
      return Check(
        name: need.names[0], state: .missing, text: "needed for \(need.feature): no \(names) is installed",
        advice: need.advice)
    }
    return Check(name: need.names[0], state: .good, text: "\(path.printable), for \(need.feature)", advice: nil)
  }

  // MARK: - Output

  /// A line for each check, and its advice below it.
  public var lines: [String] {
    let width = checks.map(\.name.count).max() ?? 0
    let indent = String(repeating: " ", count: 9 + width + 2)
    return checks.flatMap { check in
      let line = check.state.rawValue.padded(to: 9) + check.name.padded(to: width + 2) + check.text
      return [line] + (check.advice.map { [indent + $0] } ?? [])
    }
  }

  /// `{"checks": [{"name", "state", "text", "advice"}]}`.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    json.beginArray("checks")
    for check in checks {
      json.beginObject()
      json.put("name", check.name)
      json.put("state", check.state.rawValue)
      json.put("text", check.text)
      if let advice = check.advice { json.put("advice", advice) }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endLine()
  }
}
