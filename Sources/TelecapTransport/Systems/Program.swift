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

/// A program that runs in a session and a process group of its own, without a controlling terminal. It must be ended with `end`,
/// which leaves no process of the group behind, and on Linux none that left it. A guard sees to the same should this process end
/// before, by whatever signal, but for those that left the group and cleared their environment (`OrphanReaper`).
final class Program: Sendable {
  /// How to start one.
  struct Launch: Sendable {
    var command: [String]
    var environment: [String: String]
    var directory: String
    /// Which of its two outputs may hold events.
    var showsOnStdout: Bool
    var showsOnStderr: Bool
    /// It is told by lines what to do.
    var isTold = false
    /// The file that is its standard input; nil for one that ends at once.
    var input: String?
    /// It is one of the system's own, as that which speaks mDNS for us, and what it leaves behind stays.
    var isTrusted = false
  }

  /// The process, which is also its group.
  let id: Int32
  private let guarded: ProgramGuard
  /// Where it is told what to do; nil where it is not.
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

  /// Where what it prints goes, and how many of its two outputs are still read.
  private struct Reading: Sendable {
    let output: ProgramOutput
    let open = Locked(2)
  }

  /// Starts a program; what it prints goes to `output`.
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
          // A cancelled reader takes what is there and waits for no more.
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

  /// A standard input that is read from a file.
  private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    do {
      return try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    } catch {
      throw SystemError("cannot open \(path): \(error)")
    }
  }

  private static func configuration(_ launch: Launch, _ mark: ProgramGuard.Mark) -> Configuration {
    var options = PlatformOptions()
    // A session of its own, and so a group of its own: it has no terminal to read keys from or to ask for a password at.
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

  /// How it ended, in words; nil while it runs.
  var ending: String? {
    var code: Int32 = 0
    switch telecap_child_state(id, &code) {
    case 0: return nil
    case 1: return "it exited with status \(code)"
    case 2: return "it was ended by signal \(code)"
    default: return "it ended"
    }
  }

  /// Whether all that it will ever print has been read.
  var isRead: Bool { reading.open.with { $0 <= 0 } }

  /// Whether it has ended with status 0.
  var hasSucceeded: Bool {
    var code: Int32 = 0
    return telecap_child_state(id, &code) == 1 && code == 0
  }

  /// How long the end of what a program printed is waited for when nothing of it runs any more, in ns.
  private static let reading: Nanoseconds = 2_000_000_000

  /// Asks it to end by a signal, and does not wait.
  func ask(toEndBy signal: Int32) { if ending == nil { _ = telecap_group_signal(id, signal) } }

  /// Asks it to end by a signal, waits, kills what is left of its group, and reads what it still printed. Whether it
  /// ended in time by itself.
  @discardableResult
  func end(by signal: Int32, withinNanoseconds limit: Nanoseconds) async -> Bool {
    let deadline = telecap_monotonic_ns() &+ limit
    ask(toEndBy: signal)
    while ending == nil, telecap_monotonic_ns() < deadline { await Program.pause() }
    let isTimely = ending != nil
    _ = telecap_group_signal(id, SIGKILL)
    while ending == nil { await Program.pause() }
    // Before the process is reaped: its number, which is the group's, is nobody else's until then.
    guarded.release()
    while !guarded.isDone { await Program.pause() }
    OrphanReaper.end(after: id)
    // What its pipes still hold is read to their end; should a process that got out of the guard's sight hold them open, only
    // what there is: a reader that is told to stop before it has begun would take nothing.
    let last = telecap_monotonic_ns() &+ Program.reading
    while !isRead, telecap_monotonic_ns() < last { await Program.pause() }
    stop.finish()
    _ = await task.result
    return isTimely
  }

  /// Sleeps, also in a task that was cancelled: a program must be ended all the same.
  static func pause() async {
    await Task.detached { try? await Task.sleep(for: .milliseconds(2)) }.value
  }
}
