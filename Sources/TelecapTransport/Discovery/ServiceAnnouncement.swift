import CSockets
import TelecapRecording
import TelecapTele

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A service that is announced by mDNS for as long as it runs, through the system's own program.
struct ServiceAnnouncement: Sendable {
  private let name: String
  private let end: Endpoint
  private let tell: @Sendable (String) -> Void

  /// Announces what listens at `end` over UDP.
  init(_ name: String, _ end: Endpoint, tell: @escaping @Sendable (String) -> Void) {
    (self.name, self.end, self.tell) = (name, end, tell)
  }

  /// Announces until the task is cancelled, or the program ends.
  func run() async {
    if end.address.isLoopback {
      return refuse("\(end) is reached from this machine only, and mDNS tells others: listen on another address")
    }
    let program = MulticastDNS.ofThisSystem
    let command = program.announcing(name, port: end.port)
    let output = ProgramOutput(limit: 1 << 16)
    guard let running = await ServiceProgram.start(command, into: output) else {
      return refuse("\(command[0]) cannot be started: \(program.advice)")
    }
    var last: String?
    var ending: String?
    while !Task.isCancelled, ending == nil {
      // Asked before: what it printed last is read when it has ended.
      ending = running.isRead ? running.ending : nil
      for line in output.take() {
        let text = String(decoding: line.text, as: UTF8.self)
        last = text
        if program.isEstablished(text) {
          tell("advertising \(name), udp port \(end.port), by mDNS as \(TeleDiscovery.service) (\(text))")
        }
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
    if let ending { refuse("\(command[0]): \(ending)\(last.map { ": \($0)" } ?? "")") }
    await running.end(by: SIGTERM, withinNanoseconds: 1_000_000_000)
  }

  private func refuse(_ reason: String) { tell("\(name) is not advertised by mDNS: \(reason)") }
}

/// Starts programs that speak mDNS for us.
enum ServiceProgram {
  /// Starts one; nil where there is none. Also in a task that was cancelled, so that it is known what to end.
  static func start(_ command: [String], into output: ProgramOutput) async -> Program? {
    let launch = Program.Launch(
      command: command, environment: ["LC_ALL": "C"], directory: "/", showsOnStdout: true, showsOnStderr: true)
    return await Task.detached { try? await Program.start(launch, into: output) }.value
  }
}
