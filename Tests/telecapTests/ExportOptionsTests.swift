import ArgumentParser
import Foundation
import TelecapTestSupport
import Testing

@testable import telecap

@Suite(.smoke) struct ExportOptionsTests {
  @Test("A format is told by the output's name, and columns are checked")
  func aFormatIsToldByTheOutputsNameAndColumnsAreChecked() throws {
    #expect(throws: (any Error).self) { try Export.parse(["a.telecap", "-o", "out.txt"]) }
    let nix = try Program.run([
      "export", Project.file("Captures/busy.pcapng").path, "--format", "csv", "--columns", "nix",
    ])
    #expect(nix.status == 64 && nix.errors.hasPrefix("Error: --columns: there is no nix; there are packet, message, "))
    #expect(nix.errors.contains("\nUsage: telecap export [<options>] <input>\n  See 'telecap export --help'"))
    #expect(throws: (any Error).self) { try Export.parse(["a.telecap", "-o", "out.pcap", "--columns", "seq"]) }
    _ = try Export.parse(["a.telecap", "-o", "out.csv", "--columns", "seq, x"])
  }
}
