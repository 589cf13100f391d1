import Foundation
import Testing

/// The built program, run as a user runs it.
public enum Program {
  /// The path of the program: next to the tests.
  public static let path: String = {
    #if canImport(Darwin)
      let tests = Bundle(for: Marker.self).bundleURL.deletingLastPathComponent()
    #else
      let tests = Bundle.main.bundleURL
    #endif
    return tests.appending(path: "telecap").path
  }()

  private final class Marker {}

  /// Runs it to its end.
  public static func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:], seconds: Double = 180
  ) throws -> Finished {
    try Running(path, arguments, input: input, environment: environment).finish(seconds: seconds)
  }

  /// The same with arguments in one text, split at spaces.
  public static func run(_ arguments: String, input: [UInt8] = []) throws -> Finished {
    try run(arguments.split(separator: " ").map(String.init), input: input)
  }

  /// Starts it.
  public static func start(_ arguments: [String]) throws -> Running { try Running(path, arguments) }

  /// Runs a script of the shell in which `$telecap` is the program.
  public static func shell(_ script: String, environment: [String: String] = [:]) throws -> Finished {
    let environment = environment.merging(["telecap": path]) { $1 }
    return try Running("/bin/sh", ["-c", script], environment: environment).finish()
  }
}

/// How a program ended and what it said.
public struct Finished {
  /// Its exit status; for a signal 128 and the signal, as a shell says it.
  public var status: Int32
  /// The text on stdout.
  public var output: String
  /// The text on stderr.
  public var errors: String

  /// The end of a run that needed no process.
  public init(status: Int32, output: String, errors: String) {
    (self.status, self.output, self.errors) = (status, output, errors)
  }

  /// The lines of its results.
  public var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The objects of JSON Lines; a line that is none is an issue of the test.
  public func json(sourceLocation: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
    try lines.map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)",
        sourceLocation: sourceLocation)
    }
  }
}

/// A program that runs; its output goes to files, so that it never waits for the test.
public final class Running {
  public struct TimedOut: Error, CustomStringConvertible { public var description: String }

  private let process = Process()
  private let directory: URL

  /// Starts a program.
  public init(_ path: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]) throws {
    Tier.recordProgram()
    directory = FileManager.default.temporaryDirectory.appending(path: "telecap-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for name in ["output", "errors"] { try Data().write(to: directory.appending(path: name)) }
    try Data(input).write(to: directory.appending(path: "input"))
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let input = try FileHandle(forReadingFrom: directory.appending(path: "input"))
    let output = try FileHandle(forWritingTo: directory.appending(path: "output"))
    let errors = try FileHandle(forWritingTo: directory.appending(path: "errors"))
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    // The user's own cache is no place for what tests leave behind.
    let own = ["SWIFT_BACKTRACE": "enable=no", "XDG_CACHE_HOME": directory.appending(path: "cache").path]
    process.environment = ProcessInfo.processInfo.environment
      .merging(own) { $1 }.merging(environment) { $1 }
    try process.run()
    // The program has its own. A process keeps its handles for good on Linux, and crashes when some 1,350 are open, as it
    // looks for the highest.
    for handle in [input, output, errors] { try handle.close() }
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: directory)
  }

  private func text(_ name: String) -> String {
    String(decoding: (try? Data(contentsOf: directory.appending(path: name))) ?? Data(), as: UTF8.self)
  }

  /// The text on stderr so far.
  public var errors: String { text("errors") }
  /// The text on stdout so far.
  public var output: String { text("output") }

  /// Waits until it has said this on stderr.
  public func wait(for line: String, seconds: Double = 90) throws {
    try wait("for “\(line)”", seconds: seconds) { errors.contains(line) || !process.isRunning }
    guard errors.contains(line) else { throw TimedOut(description: "ended without “\(line)”: \(errors)") }
  }

  /// The number of its process.
  public var id: Int32 { process.processIdentifier }

  /// Sends a signal.
  public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for its end.
  public func finish(seconds: Double = 180) throws -> Finished {
    try wait("for its end", seconds: seconds) { !process.isRunning }
    let signalled = process.terminationReason == .uncaughtSignal
    return Finished(status: process.terminationStatus + (signalled ? 128 : 0), output: output, errors: errors)
  }

  /// Waits until something is so; `what` says for what.
  public func wait(_ what: String, seconds: Double = 90, until isDone: () -> Bool) throws {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while !isDone() {
      if ContinuousClock.now > end {
        kill(process.processIdentifier, SIGKILL)
        throw TimedOut(description: "waited \(seconds) s \(what); it said \(errors)\(output)")
      }
      usleep(2_000)
    }
  }
}

/// Whether the tests may capture: as root.
public let isRoot = geteuid() == 0

/// The interface that `record` captures on by default.
#if canImport(Darwin)
  public let loopback = "lo0"
#else
  public let loopback = "lo"
#endif
