import TelecapFiles
import TelecapPlatform
import TelecapReport
import TelecapTransport

/// Results of `conform` on one page, which is rebuilt when their files change.
final class ResultsSite: PageSite {
  private let paths: [String]
  private let tool: String
  private let state: Locked<(marks: [FileStatus?], text: String)>

  /// - Parameter paths: the files of these results.
  init(_ results: [ConformanceResults], of paths: [String], tool: String) {
    (self.paths, self.tool) = (paths, tool)
    state = Locked((paths.map { FileStatus($0) }, ResultsPage.text(results, tool: tool)))
  }

  /// - Throws: as `ResultsFiles.read` does if the current content cannot be read.
  func answer(_ parts: [String], _ query: [String: String]) throws -> PageAnswer {
    guard parts == [""] else { return .problem(404, "There is no such page.") }
    let marks = paths.map { FileStatus($0) }
    return try state.with { state in
      if marks != state.marks {
        guard let results = try ResultsFiles.read(paths) else {
          throw ResultsProblem("\(paths[0]): it holds no results of conform any more")
        }
        state = (marks, ResultsPage.text(results, tool: tool))
      }
      return PageAnswer(body: state.text)
    }
  }
}
