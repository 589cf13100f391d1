import TelecapFiles
import TelecapPlatform
import TelecapReport
import TelecapText

/// The file of a shown recording, and whether it is still the one that was read.
struct WatchedFile: Sendable {
  private let path: String
  private let mark: FileStatus?

  /// - Parameter mark: the status of the file before it was read; nil without a file.
  init(_ path: String, _ mark: FileStatus?) { (self.path, self.mark) = (path, mark) }

  /// A notice on the page if the file has changed; nil otherwise. Evaluated for each page.
  var notice: String? {
    let now = FileStatus(path)
    if now == mark { return nil }
    let what = now == nil ? "is gone" : "has changed"
    let rest = now == nil ? "" : " Later reads may return the new one: to see it, end"
    let again = now == nil ? "" : " telecap view (Ctrl-C in its terminal) and start it again."
    return "\(path.printable) \(what) since it was read: these pages show what it held then.\(rest)\(again)"
  }
}
