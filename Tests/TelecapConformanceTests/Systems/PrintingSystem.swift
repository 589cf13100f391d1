import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapWire

/// Our model as a program that prints its events, read by the rules of a system file: what becomes of its lines before they
/// are read is for the test.
struct PrintingSystem: SystemUnderTest {
  let model: ModelSystem
  let file: SystemFile
  /// The line that the program prints of an event, as bytes; nil prints nothing.
  var print: @Sendable (_ line: String, _ script: Script) -> String? = { line, _ in line }

  var name: String { "printing" }
  var parts: Set<Part> { model.parts }

  init(
    _ events: String, part: Part = .host, fault: String? = nil, suites: Suites,
    print: @escaping @Sendable (String, Script) -> String? = { line, _ in line }
  ) throws {
    model = try ModelSystem(parsing: "model:\(part)" + (fault.map { "+\($0)" } ?? ""), in: suites)
    let text = "role: \(part)\ncommand: [a]\naddresses: { udp: free, tcp: free }\nshows:\n  events:\n\(events)"
    file = try SystemFile(text, file: "printing.yaml", suites: suites)
    self.print = print
  }

  func run(_ script: Script) async throws -> RunLog {
    let told = try model.runNow(script)
    var log = RunLog.reading { read(told, script, rounded: $0) }
    log.mapping?.ran(over: script.setup.carrier)
    return log
  }

  private func read(_ told: RunLog, _ script: Script, rounded: MappingStatistics?) -> RunLog {
    var log = told
    log.shows = file.aspects
    log.entries = []
    var observations = EventDecoder(
      rules: file.rules, peers: told.peers, file.part.role?.owner, file: file.file, rounded: rounded)
    var delivered = DecodedLog(told, file.part.role?.owner).delivered[...]
    for (index, entry) in told.entries.enumerated() {
      guard case .event(let event) = entry.what else {
        log.entries.append(entry)
        for message in delivered.take(of: index) { observations.delivered(message) }
        continue
      }
      guard let line = self.print(event.jsonLine(at: entry.time), script) else { continue }
      for event in observations.events(printed: line.utf8) { log.note(.event(event), at: entry.time) }
    }
    log.mapping = observations.mapping
    return log
  }
}
