// The default of `record --interface` is `lo` on the pages, which are those of Linux.
#if os(Linux)
  import Foundation
  import TelecapTestSupport
  import Testing

  /// The pages that `Scripts/reference` makes of the program's own help and lists.
  @Suite("Generated pages", .real("runs the script")) struct GeneratedPagesTests {
    @Test("The pages are those of this program; where not: make reference")
    func pagesAreCurrent() throws {
      let words = ["python3", Project.file("Scripts/reference").path, "--check", Program.path]
      let checked = try Running("/usr/bin/env", words).finish(seconds: 60)
      #expect(checked.status == 0, "\(checked.errors)")
    }
  }
#endif
