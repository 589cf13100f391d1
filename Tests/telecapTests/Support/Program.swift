import Foundation
import Testing

/// The built program, run as a user runs it.
enum Program {
  /// Where it is: beside the tests.
  static let path: String = {
    #if canImport(Darwin)
      let tests = Bundle(for: Marker.self).bundleURL.deletingLastPathComponent()
    #else
      let tests = Bundle.main.bundleURL
    #endif
    return tests.appending(path: "telecap").path
  }()

  private final class Marker {}

  /// Runs it to its end.
  static func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:], seconds: Double = 60
  ) throws -> Finished {
    try Running(path, arguments, input: input, environment: environment).finish(seconds: seconds)
  }

  /// The same with arguments in one text, split at spaces.
  static func run(_ arguments: String, input: [UInt8] = []) throws -> Finished {
    try run(arguments.split(separator: " ").map(String.init), input: input)
  }

  /// Starts it.
  static func start(_ arguments: [String]) throws -> Running { try Running(path, arguments) }

  /// Runs a script of the shell in which `$telecap` is the program.
  static func shell(_ script: String, environment: [String: String] = [:]) throws -> Finished {
    let environment = environment.merging(["telecap": path]) { $1 }
    return try Running("/bin/sh", ["-c", script], environment: environment).finish(seconds: 60)
  }
}

/// How a program ended and what it said.
struct Finished {
  /// Its exit status; for a signal 128 and the signal, as a shell says it.
  var status: Int32
  var output: String
  var errors: String

  /// The lines of its results.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The objects of JSON Lines; a line that is none is an issue of the test.
  func json(sourceLocation: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
    try lines.map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)",
        sourceLocation: sourceLocation)
    }
  }
}

/// A program that runs; its output goes to files, so that it never waits for the test.
final class Running {
  struct TimedOut: Error, CustomStringConvertible { var description: String }

  private let process = Process()
  private let directory: URL

  init(_ path: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "telecap-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for name in ["output", "errors"] { try Data().write(to: directory.appending(path: name)) }
    try Data(input).write(to: directory.appending(path: "input"))
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: directory.appending(path: "input"))
    process.standardOutput = try FileHandle(forWritingTo: directory.appending(path: "output"))
    process.standardError = try FileHandle(forWritingTo: directory.appending(path: "errors"))
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: directory)
  }

  private func text(_ name: String) -> String {
    String(decoding: (try? Data(contentsOf: directory.appending(path: name))) ?? Data(), as: UTF8.self)
  }

  /// What it has said so far on stderr.
  var errors: String { text("errors") }
  /// What it has said so far on stdout.
  var output: String { text("output") }

  /// Waits until it has said this on stderr.
  func wait(for line: String, seconds: Double = 30) throws {
    try wait("for “\(line)”", seconds: seconds) { errors.contains(line) || !process.isRunning }
    guard errors.contains(line) else { throw TimedOut(description: "ended without “\(line)”: \(errors)") }
  }

  /// Sends a signal.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for its end.
  func finish(seconds: Double = 60) throws -> Finished {
    try wait("for its end", seconds: seconds) { !process.isRunning }
    let signalled = process.terminationReason == .uncaughtSignal
    return Finished(status: process.terminationStatus + (signalled ? 128 : 0), output: output, errors: errors)
  }

  private func wait(_ what: String, seconds: Double, until isDone: () -> Bool) throws {
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

/// A directory that is gone after the test.
final class Folder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "telecap-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// A file in it with these bytes.
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }

  /// The names of the files in it.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

/// Whether the tests may capture: as root.
let isRoot = geteuid() == 0

/// The interface that `record` listens on unless told otherwise.
#if canImport(Darwin)
  let loopback = "lo0"
#else
  let loopback = "lo"
#endif
