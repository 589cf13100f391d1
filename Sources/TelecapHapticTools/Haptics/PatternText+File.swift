import TelecapFiles
import TelecapHaptics
import TelecapRecording
import TelecapReport
import TelecapText

extension PatternText {
  /// Checks the AHAP file at `path`, counts its findings, and writes those of at least the severity `least` as lines of
  /// text or of JSON.
  ///
  /// - Throws: `FileError` if the file cannot be read, or the output cannot be written.
  public mutating func check(
    _ path: String, atLeast least: Severity, isJSON: Bool, to output: inout Output
  ) throws(FileError) {
    var json = JSONWriter()
    for finding in AHAPReading(try TextFile.bytes(path)).findings {
      count(finding)
      if finding.severity < least { continue }
      if isJSON {
        write(finding, in: path, to: &json)
        try output.take(&json)
      } else {
        try output.line(line(finding, in: path))
      }
    }
  }
}
