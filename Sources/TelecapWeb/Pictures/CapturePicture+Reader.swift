import TelecapConformance
import TelecapFiles
import TelecapReport
import TelecapStore
import TelecapWire

extension CapturePicture {
  /// All that pages show of a capture, read from beginning to end once.
  ///
  /// - Parameters:
  ///   - recording: what it is a capture of.
  ///   - plans: what networks did to what was sent in it.
  ///   - progress: is told from time to time how much has been read, 0…1.
  /// - Throws: `StoreError`; what running the plans throws.
  public init(
    of reader: CaptureReader, in recording: Recording, named name: String,
    drawing plans: [@Sendable (TimeGrid) throws -> NetworkRun] = [], progress: (Double) -> Void = { _ in }
  ) throws {
    let last = Double(max(1, try reader.lastNumbers().message))
    var count = try SummaryCount(of: reader)
    var timeline = try TimelineReading(reader).whole(&count) { progress(Double($0) / last) }
    timeline.runs = try plans.map { try $0(timeline.grid) }
    var summary = count.summary
    if summary.isDissected { summary.unread = try recording.unread(in: reader) }
    self.init(name: name, summary, timeline, places: try reader.findingPlaces(of: summary))
  }
}

extension Recording {
  /// A page in one file that shows it, and what broke it.
  ///
  /// - Parameters:
  ///   - plans: where plans of it lie, which tell what networks did to what was sent in it.
  ///   - tell: is told what a person should know of what was not read.
  /// - Throws: as `withCapture` does; `SavedPlanError` when a plan was not made for it.
  public func report(
    named name: String, tool: String, plans: [String] = [], suites: Suites, tell: (String) -> Void
  ) throws -> (text: String, damage: Damage?) {
    let shown = try plans.map { try ShownPlan($0, of: self, suites: suites) }
    return try withCapture { reader in
      try reader.checkTables()
      let picture = try CapturePicture(of: reader, in: self, named: name, drawing: shown.map { $0.drawn })
      picture.summary.notes.forEach(tell)
      return ReportPage.text(picture, tool: tool)
    }
  }
}
