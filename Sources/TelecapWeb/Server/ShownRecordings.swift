import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapPlatform
import TelecapReport
import TelecapStore

/// A recording on a page.
public struct ShownCapture: Sendable {
  /// The title.
  public let name: String
  /// The recording. Throws while it is still being recorded and has no content yet.
  let recording: @Sendable () throws -> Recording
  /// A capture of it, possibly a temporary one; nil if it is still being recorded and is followed.
  let reader: CaptureReader?
  /// Whether the file of the capture is damaged.
  let isBroken: Bool
  /// Logs notes once the whole recording has been read.
  let tell: @Sendable (String) -> Void
  /// Its file when it was read; nil without a file, or if it is followed.
  let file: WatchedFile?

  /// - Parameter mark: the status of its file before it was read; nil for the current one.
  init(
    name: String, recording: Recording, reader: CaptureReader, mark: FileStatus? = nil, isBroken: Bool = false,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.name, self.recording, self.reader) = (name, { recording }, reader)
    (self.isBroken, self.tell) = (isBroken, tell)
    file = if case .path(let path) = recording.place { WatchedFile(path, mark ?? FileStatus(path)) } else { nil }
  }

  /// A recording that is still being recorded and is followed.
  ///
  /// - Parameter recording: throws while it does not exist.
  public init(following name: String, _ recording: @escaping @Sendable () throws -> Recording) {
    (self.name, self.recording, reader, isBroken, tell, file) = (name, recording, nil, false, { _ in }, nil)
  }

  /// Its pages.
  ///
  /// - Parameter plans: the paths of its plans, from which the effects of networks are computed.
  func site(
    others: [(name: String, href: String)], suites: Suites, tool: String, options: [String] = [], plans: [String] = []
  ) throws -> any PageSite {
    let subtitle = reader == nil ? "A capture that is being recorded" : "A capture, as telecap view shows it"
    let page = LivePage(name: name, subtitle: subtitle, others: others, tool: tool, follows: reader == nil)
    guard let reader else {
      if let plan = plans.first { throw SavedPlanError.growing(plan: plan) }
      return FollowedCapture(name, recording, page, suites)
    }
    let shown = try plans.map { try WatchedPlan($0, of: recording(), suites: suites) }
    return try CaptureSite(
      name, recording(), reader, page, suites, options: options, plans: shown, file: file, isBroken: isBroken,
      tell: tell)
  }
}

/// Recordings on pages, each as a capture for the time that it is shown.
public enum ShownRecordings {
  /// Calls `body` with all of them as captures; one that is still being recorded is followed, unless only a window is
  /// shown.
  ///
  /// - Parameter tell: logs notes about a recording, also while its pages are open.
  /// - Throws: as `Recording.withCapture` does, or any error of `body`.
  public static func with(
    _ recordings: [(name: String, recording: Recording)], tell: @escaping @Sendable (String) -> Void,
    _ body: ([ShownCapture]) async throws -> Void
  ) async throws {
    try await with(recordings[...], [], tell, body)
  }

  private static func with(
    _ rest: ArraySlice<(name: String, recording: Recording)>, _ open: [ShownCapture],
    _ tell: @escaping @Sendable (String) -> Void, _ body: ([ShownCapture]) async throws -> Void
  ) async throws {
    guard let next = rest.first else { return try await body(open) }
    let recording = next.recording
    // A window is a part of what there is now, so it is not followed.
    if recording.window == nil, try recording.isBeingRecorded() {
      return try await with(
        rest.dropFirst(), open + [ShownCapture(following: next.name) { recording }], tell, body)
    }
    let mark = try recording.markOfFile()
    try await recording.withCapture { reader, damage in
      if let damage { tell("\(damage)") }
      let shown = ShownCapture(
        name: next.name, recording: recording, reader: reader, mark: mark, isBroken: damage != nil, tell: tell)
      try await with(rest.dropFirst(), open + [shown], tell, body)
    }
  }
}

extension Recording {
  /// The status of its file before it is read; nil for a capture, because reading may change it by deriving messages.
  fileprivate func markOfFile() throws -> FileStatus? {
    guard case .path(let path) = place, try !CaptureFile.isSQLite(path) else { return nil }
    return FileStatus(path)
  }
}
