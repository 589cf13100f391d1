import CSockets
import TelecapConformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs programs that speak mDNS for us.
enum ServiceProgram {
  /// Runs one until the task is cancelled.
  ///
  /// - Parameter read: is given each line that it prints.
  /// - Returns: why it does not run any more; nil where the task was cancelled.
  static func run(_ command: [String], advice: String, _ read: (String) -> Void) async -> String? {
    let output = ProgramOutput(limit: 1 << 16)
    guard let program = await start(command, into: output) else {
      return "\(command[0]) cannot be started: \(advice)"
    }
    var (last, ending): (String?, String?)
    while !Task.isCancelled, ending == nil {
      // Asked before: when it has ended, what it printed last is still to be read.
      ending = program.isRead ? program.ending : nil
      for line in output.take() {
        let text = String(decoding: line.text, as: UTF8.self)
        read(text)
        last = text
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
    await program.end(by: SIGTERM, withinNanoseconds: 1_000_000_000)
    return ending.map { "\(command[0]): \($0)\(last.map { ": \($0)" } ?? "")" }
  }

  /// Starts one; nil where there is none. Also in a task that was cancelled, so that it is known what to end.
  private static func start(_ command: [String], into output: ProgramOutput) async -> Program? {
    let launch = Program.Launch(
      command: command, environment: ["LC_ALL": "C"], directory: "/", showsOnStdout: true, showsOnStderr: true,
      isTrusted: true)
    return await Task.detached { try? await Program.start(launch, into: output) }.value
  }
}
