import CSockets
import TelecapConformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs mDNS programs.
enum ServiceProgram {
  /// Runs a program until the task is cancelled.
  ///
  /// - Parameter read: is called with each line of its output.
  /// - Returns: the reason why it exited; nil where the task was cancelled.
  static func run(_ command: [String], advice: String, _ read: (String) -> Void) async -> String? {
    let output = ProgramOutput(limit: 1 << 16)
    guard let program = await start(command, into: output) else {
      return "\(command[0]) cannot be started: \(advice)"
    }
    var (last, ending): (String?, String?)
    while !Task.isCancelled, ending == nil {
      // Check this first: after its exit its last output must still be read.
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

  /// Starts a program; nil without one. Also in a cancelled task, so that the program can be ended.
  private static func start(_ command: [String], into output: ProgramOutput) async -> Program? {
    let launch = Program.Launch(
      command: command, environment: ["LC_ALL": "C"], directory: "/", showsOnStdout: true, showsOnStderr: true,
      isTrusted: true)
    return await Task.detached { try? await Program.start(launch, into: output) }.value
  }
}
