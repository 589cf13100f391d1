import TelecapFiles
import TelecapReport
import TelecapStore

extension CapturePicture {
  /// All that pages show of a capture, read once from beginning to end.
  ///
  /// - Throws: `StoreError`
  public init(of reader: CaptureReader, named name: String) throws {
    let summary = try reader.summary()
    self.init(
      name: name, summary, try TimelineReading(reader).whole(summary),
      places: try reader.findingPlaces(of: summary))
  }
}

extension Recording {
  /// A page in one file that shows it, and what broke it.
  ///
  /// - Throws: as `withCapture` does.
  public func report(named name: String, tool: String) throws -> (text: String, damage: Damage?) {
    try withCapture { reader in
      ReportPage.text(try CapturePicture(of: reader, named: name), tool: tool)
    }
  }
}
