import TelecapFiles
import TelecapPlatform
import TelecapReport
import TelecapTransport

/// Results of `conform`: one page, made anew when their files have changed.
final class ResultsSite: PageSite {
  private let paths: [String]
  private let tool: String
  private let state: Locked<(marks: [FileStatus?], text: String)>

  /// - Parameter paths: where these results lie.
  init(_ results: [ConformanceResults], of paths: [String], tool: String) {
    (self.paths, self.tool) = (paths, tool)
    state = Locked((paths.map { FileStatus($0) }, ResultsPage.text(results, tool: tool)))
  }

  /// - Throws: as `ResultsFiles.read` does where what they hold now cannot be read.
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
