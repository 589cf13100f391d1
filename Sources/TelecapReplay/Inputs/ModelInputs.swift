import TelecapFiles
import TelecapModels
import TelecapMouse
import TelecapTele
import TelecapWire

/// An error in an input file of a model.
public struct InputFileError: Error, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The problem in it.
  public let problem: any Error

  /// Both as a sentence.
  public var description: String { "\(path): \(problem)" }

  /// Reads and parses a file.
  fileprivate static func reading<Value>(
    _ path: String, _ parse: (String) throws -> Value
  ) throws -> Value {
    let text = try TextFile.read(path)
    do {
      return try parse(text)
    } catch {
      throw InputFileError(path: path, problem: error)
    }
  }
}

extension ForceSeries {
  /// The forces in a CSV file.
  ///
  /// - Throws: `FileError` or `InputFileError`.
  public init(file path: String, range: ForceRange) throws {
    self = try InputFileError.reading(path) { try ForceSeries(csv: $0, range: range) }
  }
}

extension MouseScript {
  /// The movements in an evemu recording.
  ///
  /// - Throws: `FileError` or `InputFileError`.
  public init(evemu path: String) throws {
    self = try InputFileError.reading(path) { try Evemu.script($0) }
  }
}

extension MouseRecording {
  /// The evemu or libinput recording in a file.
  ///
  /// - Throws: `FileError` or `InputFileError`.
  public init(file path: String, ports: Ports) throws {
    self = try InputFileError.reading(path) { try MouseRecording($0, ports: ports) }
  }
}
