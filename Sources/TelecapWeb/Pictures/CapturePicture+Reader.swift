import TelecapFiles
import TelecapReport
import TelecapStore
import TelecapWire

extension CapturePicture {
  /// All that pages show of a capture, read from beginning to end once.
  ///
  /// - Parameters:
  ///   - recording: what it is a capture of.
  ///   - progress: is told from time to time how much has been read, 0…1.
  /// - Throws: `StoreError`
  public init(
    of reader: CaptureReader, in recording: Recording, named name: String, progress: (Double) -> Void = { _ in }
  ) throws {
    let last = Double(max(1, try reader.lastNumbers().message))
    var count = try SummaryCount(of: reader)
    let timeline = try TimelineReading(reader).whole(&count) { progress(Double($0) / last) }
    var summary = count.summary
    if summary.isDissected { summary.unread = try recording.unread(in: reader) }
    self.init(name: name, summary, timeline, places: try reader.findingPlaces(of: summary))
  }
}

extension Recording {
  /// A page in one file that shows it, and what broke it.
  ///
  /// - Parameter tell: is told what a person should know of what was not read.
  /// - Throws: as `withCapture` does.
  public func report(
    named name: String, tool: String, tell: (String) -> Void
  ) throws -> (text: String, damage: Damage?) {
    try withCapture { reader in
      try reader.checkTables()
      let picture = try CapturePicture(of: reader, in: self, named: name)
      picture.summary.notes.forEach(tell)
      return ReportPage.text(picture, tool: tool)
    }
  }
}
