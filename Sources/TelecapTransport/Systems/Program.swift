import CSockets
import Subprocess
import TelecapConformance
import TelecapPlatform
import TelecapRecording

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A program in its own session and process group, without a controlling terminal. It must be ended with `end`, which
/// leaves no process of the group, and on Linux none that left it. A guard does the same if this process is killed
/// before, except for processes that left the group and cleared their environment (`OrphanReaper`).
final class Program: Sendable {
  /// The parameters of a start.
  struct Launch: Sendable {
    var command: [String]
    var environment: [String: String]
    var directory: String
    /// The outputs that may contain events.
    var showsOnStdout: Bool
    var showsOnStderr: Bool
    /// Whether it reads actions from its standard input.
    var isTold = false
    /// The file for its standard input; nil for an empty one.
    var input: String?
    /// Whether it is a program of the system, such as that for mDNS, whose orphans stay.
    var isTrusted = false
  }

  /// The process id, which is also the group's.
  let id: Int32
  private let guarded: ProgramGuard
  /// The writer of its standard input; nil where it reads no actions.
  let input: ProgramInput?
  private let reading: Reading
  private let stop: AsyncStream<Void>.Continuation
  private let task: Task<TerminationStatus, any Error>

  private init(
    id: Int32, _ guarded: ProgramGuard, _ input: ProgramInput?, _ reading: Reading,
    stop: AsyncStream<Void>.Continuation, task: Task<TerminationStatus, any Error>
  ) {
    self.id = id
    self.guarded = guarded
    self.input = input
    self.reading = reading
    self.stop = stop
    self.task = task
  }

  /// The destination of its output, and the number of outputs that are still read.
  private struct Reading: Sendable {
    let output: ProgramOutput
    let open = Locked(2)
  }

  /// Starts a program; `output` receives its output.
  /// - Throws: `SystemError` when it cannot be started.
  static func start(_ launch: Launch, into output: ProgramOutput) async throws(SystemError) -> Program {
    let (started, start) = AsyncStream.makeStream(of: Int32.self)
    let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
    let mark = ProgramGuard.Mark()
    let input = launch.isTold ? try ProgramInput() : nil
    let source = if let input { input.end } else { try open(launch.input ?? "/dev/null") }
    let reading = Reading(output: output)
    OrphanReaper.begin(leaves: !launch.isTrusted)
    let guarded: ProgramGuard
    do {
      guarded = try ProgramGuard(mark)
    } catch {
      try? source.close()
      OrphanReaper.end()
      throw error
    }
    let task = Task { () async throws -> TerminationStatus in
      defer {
        start.finish()
        OrphanReaper.end()
      }
      let result = try await Subprocess.run(
        configuration(launch, mark), input: .fileDescriptor(source, closeAfterSpawningProcess: true), output: .sequence,
        error: .sequence
      ) { execution in
        start.yield(execution.processIdentifier.value)
        start.finish()
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await read(execution.standardOutput, reading, .stdout, isShown: launch.showsOnStdout) }
          group.addTask { await read(execution.standardError, reading, .stderr, isShown: launch.showsOnStderr) }
          for await _ in stopped {}
          // A cancelled reader reads the pending bytes and does not wait.
          group.cancelAll()
        }
      }
      return result.terminationStatus
    }
    for await id in started {
      guarded.guards(id)
      return Program(id: id, guarded, input, reading, stop: stop, task: task)
    }
    guarded.release()
    while !guarded.isDone { await pause() }
    switch await task.result {
    case .success: throw SystemError("\(launch.command[0]) ended before it began")
    case .failure(let error): throw SystemError("cannot start \(launch.command[0]) in \(launch.directory): \(error)")
    }
  }

  /// Opens a file as standard input.
  private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    do {
      return try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    } catch {
      throw SystemError("cannot open \(path): \(error)")
    }
  }

  private static func configuration(_ launch: Launch, _ mark: ProgramGuard.Mark) -> Configuration {
    var options = PlatformOptions()
    // Its own session, and so its own group: it has no terminal to read keys or a password from.
    options.createSession = true
    let name = launch.command[0]
    let variables = launch.environment.merging([ProgramGuard.Mark.name: mark.value]) { $1 }
    let updates = variables.map { (Environment.Key(stringLiteral: $0.key), $0.value as String?) }
    return Configuration(
      executable: name.contains("/") ? .path(FilePath(name)) : .name(name),
      arguments: Arguments(Array(launch.command.dropFirst())),
      environment: .inherit.updating(Dictionary(updates) { $1 }), workingDirectory: FilePath(launch.directory),
      platformOptions: options)
  }

  private static func read(
    _ sequence: SubprocessOutputSequence, _ reading: Reading, _ source: SystemFile.Source, isShown: Bool
  ) async {
    var cutter = LineCutter()
    let output = reading.output
    do {
      for try await buffer in sequence {
        buffer.withUnsafeBytes { output.add($0, cutBy: &cutter, isShown: isShown, from: source) }
      }
    } catch {
      output.add("(its output cannot be read: \(error))".utf8, isShown: false)
    }
    cutter.finish { output.add($0, isShown: isShown, from: source) }
    reading.open.with { $0 -= 1 }
  }

  /// The description of its exit; nil while it runs.
  var ending: String? {
    var code: Int32 = 0
    switch telecap_child_state(id, &code) {
    case 0: return nil
    case 1: return "it exited with status \(code)"
    case 2: return "it was ended by signal \(code)"
    default: return "it ended"
    }
  }

  /// Whether all its output has been read.
  var isRead: Bool { reading.open.with { $0 <= 0 } }

  /// Whether it has exited with status 0.
  var hasSucceeded: Bool {
    var code: Int32 = 0
    return telecap_child_state(id, &code) == 1 && code == 0
  }

  /// The maximum time to wait for the end of the output after the program's exit, in ns.
  private static let reading: Nanoseconds = 2_000_000_000

  /// Asks it to exit by a signal, without waiting.
  func ask(toEndBy signal: Int32) { if ending == nil { _ = telecap_group_signal(id, signal) } }

  /// Asks it to exit by a signal, waits, kills the rest of its group, and reads its last output. Returns whether it
  /// exited by itself in time.
  @discardableResult
  func end(by signal: Int32, withinNanoseconds limit: Nanoseconds) async -> Bool {
    let deadline = telecap_monotonic_ns() &+ limit
    ask(toEndBy: signal)
    while ending == nil, telecap_monotonic_ns() < deadline { await Program.pause() }
    let isTimely = ending != nil
    _ = telecap_group_signal(id, SIGKILL)
    while ending == nil { await Program.pause() }
    // Before the process is reaped: until then no other process can get its id, which is the group's.
    guarded.release()
    while !guarded.isDone { await Program.pause() }
    OrphanReaper.end(after: id)
    // Read its pipes to their end. If a process that escaped the guard holds them open, read only the pending bytes: a
    // reader that is stopped before it starts would read none.
    let last = telecap_monotonic_ns() &+ Program.reading
    while !isRead, telecap_monotonic_ns() < last { await Program.pause() }
    stop.finish()
    _ = await task.result
    return isTimely
  }

  /// Sleeps, also in a cancelled task, since a program must be ended in any case.
  static func pause() async {
    await Task.detached { try? await Task.sleep(for: .milliseconds(2)) }.value
  }
}
