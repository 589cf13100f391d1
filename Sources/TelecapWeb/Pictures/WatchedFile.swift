import TelecapFiles
import TelecapPlatform
import TelecapReport
import TelecapText

/// A recording that is shown, and whether its file is still the one that was read.
struct WatchedFile: Sendable {
  private let path: String
  private let mark: FileStatus?

  /// - Parameter mark: what the file was when reading it began; nil where there was none.
  init(_ path: String, _ mark: FileStatus?) { (self.path, self.mark) = (path, mark) }

  /// What a reader of its pages must know; nil where the file is as it was. Asked for whenever a page is.
  var notice: String? {
    let now = FileStatus(path)
    if now == mark { return nil }
    let what = now == nil ? "is gone" : "has changed"
    let rest = now == nil ? "" : " What they read from now on may be of the new one: to see it, end"
    let again = now == nil ? "" : " telecap view (Ctrl-C in its terminal) and start it again."
    return "\(path.printable) \(what) since it was read: these pages show what it held then.\(rest)\(again)"
  }
}
