import CSockets
import TelecapConformance
import TelecapModels
import TelecapPlatform
import TelecapRecording

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Makes a program perform actions of its user, as its system file binds them. Blocks its thread until that is done.
struct ActionDriver: Sendable {
  /// The binding of a user's action; nil without one.
  var deed: @Sendable (any UserAction) -> ActionBinding? = { _ in nil }
  /// The launch parameters of a command.
  var launch: @Sendable (_ command: [String]) -> Program.Launch = { command in
    Program.Launch(command: command, environment: [:], directory: "/", showsOnStdout: false, showsOnStderr: false)
  }

  /// The maximum duration of a command and of the wait for an HTTP answer, in ns.
  static let limit: Nanoseconds = 5_000_000_000

  /// Performs an action.
  /// - Parameters:
  ///   - program: the program, whose input gets lines; the output of a command is added to `output`, like the program's
  ///     own.
  ///   - wait: is called while it waits; false ends the wait.
  /// - Returns: the reason why it was not performed; nil where it was.
  /// - Throws: errors of `wait`.
  func carryOut(
    _ deed: ActionBinding, _ program: Program, _ output: ProgramOutput, waiting wait: () throws -> Bool
  ) throws -> String? {
    switch deed {
    case .line(let line): return program.input.map { $0.write(line) } ?? "it has no standard input"
    case .run(let command): return try run(command, output, waiting: wait)
    case .post(let url, let body):
      guard let request = HTTPRequest(url, body: body) else { return "this is no URL of this machine" }
      return try request.send(withinNanoseconds: ActionDriver.limit, waiting: wait)
    }
  }

  /// Runs a command to its end, and leaves no process of it.
  private func run(_ command: [String], _ output: ProgramOutput, waiting wait: () throws -> Bool) throws -> String? {
    let started = Locked<Result<Program, SystemError>?>(nil)
    let launch = launch(command)
    Task.detached {
      do throws(SystemError) {
        let program = try await Program.start(launch, into: output)
        started.with { $0 = .success(program) }
      } catch {
        started.with { $0 = .failure(error) }
      }
    }
    let deadline = telecap_monotonic_ns() &+ ActionDriver.limit
    while started.with({ $0 == nil }) { telecap_sleep_until(telecap_monotonic_ns() &+ 1_000_000) }
    let program: Program
    switch started.with({ $0 }) {
    case .success(let running): program = running
    case .failure(let error): return error.description
    case nil: return nil
    }
    defer { ActionDriver.end(program) }
    while program.ending == nil {
      guard telecap_monotonic_ns() < deadline else {
        return "it did not end within \(ActionDriver.limit / 1_000_000_000) s"
      }
      guard try wait() else { return "it was broken off" }
    }
    return program.hasSucceeded ? nil : program.ending
  }

  /// Kills the rest of a command, and reads its last output.
  private static func end(_ program: Program) {
    let isDone = Locked(false)
    Task.detached {
      await program.end(by: SIGKILL, withinNanoseconds: 0)
      isDone.with { $0 = true }
    }
    while !isDone.with({ $0 }) { telecap_sleep_until(telecap_monotonic_ns() &+ 1_000_000) }
  }
}
