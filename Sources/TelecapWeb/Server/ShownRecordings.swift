import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapPlatform
import TelecapReport
import TelecapStore

/// A recording that is shown.
public struct ShownCapture: Sendable {
  /// What it is called.
  public let name: String
  /// Itself; where it is still written, once there is something of it.
  let recording: @Sendable () throws -> Recording
  /// A capture of it, which may be one that was made for as long as it is shown; nil where it is still recorded, and followed.
  let reader: CaptureReader?
  /// What it is a capture of broke off.
  let isBroken: Bool
  /// Is told what a person should know of it once all of it has been read.
  let tell: @Sendable (String) -> Void
  /// Its file, as it was read; nil where it is none, or is followed.
  let file: WatchedFile?

  /// - Parameter mark: what its file was when reading it began; nil for what it is now.
  init(
    name: String, recording: Recording, reader: CaptureReader, mark: FileStatus? = nil, isBroken: Bool = false,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.name, self.recording, self.reader) = (name, { recording }, reader)
    (self.isBroken, self.tell) = (isBroken, tell)
    file = if case .path(let path) = recording.place { WatchedFile(path, mark ?? FileStatus(path)) } else { nil }
  }

  /// One that is still recorded, and is followed.
  ///
  /// - Parameter recording: throws as long as there is none.
  public init(following name: String, _ recording: @escaping @Sendable () throws -> Recording) {
    (self.name, self.recording, reader, isBroken, tell, file) = (name, recording, nil, false, { _ in }, nil)
  }

  /// Its pages.
  ///
  /// - Parameter plans: where plans of it lie, which tell what networks did.
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

/// Recordings that are shown: each as a capture, for as long as they are.
public enum ShownRecordings {
  /// Calls `body` with all of them as captures; one that is still recorded is followed.
  ///
  /// - Parameter tell: is told what a person should know of one, also when its pages are looked at already.
  /// - Throws: as `Recording.withCapture` does; what `body` throws.
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
    if try recording.isBeingRecorded() {
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
  /// What its file is before it is read; nil for a capture, which is changed by that: its messages may be derived.
  fileprivate func markOfFile() throws -> FileStatus? {
    guard case .path(let path) = place, try !CaptureFile.isSQLite(path) else { return nil }
    return FileStatus(path)
  }
}
