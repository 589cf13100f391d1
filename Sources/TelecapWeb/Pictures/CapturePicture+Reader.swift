import TelecapConformance
import TelecapFiles
import TelecapReport
import TelecapStore
import TelecapWire

extension CapturePicture {
  /// Reads the data of all pages of a capture in one pass.
  ///
  /// - Parameters:
  ///   - recording: the recording of the capture.
  ///   - plans: the effects of networks on its packets.
  ///   - progress: receives the share that was read, 0…1, from time to time.
  /// - Throws: `StoreError`, or an error of running the plans.
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
  /// A self-contained page of the recording, and the damage that ended its file.
  ///
  /// - Parameters:
  ///   - plans: the paths of its plans, from which the effects of networks are computed.
  ///   - tell: logs notes about data that were not read.
  /// - Throws: as `withCapture` does; `SavedPlanError` if a plan was not made for it.
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
