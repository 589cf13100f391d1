import Foundation
import TelecapTestSupport
import Testing

/// Standard input and output that are files, by the shell's `<` and `>>`: they are files as any others.
@Suite(.real("runs telecap")) struct StandardStreamTests {
  private let folder: Folder
  private let capture = Project.file("Captures/teleoperation.pcapng").path

  init() throws {
    folder = try Folder()
    try FileManager.default.copyItem(atPath: capture, toPath: folder["d"])
    _ = try Program.shell("cd '\(folder.path)' && \"$telecap\" import d -o d.telecap")
  }

  private func run(_ line: String) throws -> Finished {
    try Program.shell("cd '\(folder.path)' && \"$telecap\" \(line)")
  }

  @Test(
    "An output over what is read from standard input",
    arguments: sampled(
      [
        ("export - -o d --format csv --force <d", "the recording and --output are the same file, d; give another one"),
        ("export /dev/stdin -o d --format csv --force <d", "the recording and --output are the same file, d"),
        ("export - -o d.pcapng --force <d.pcapng", "the recording and --output are the same file, d.pcapng"),
        ("import - -o d --force <d", "the recording and --output are the same file, d"),
        ("ahap from - -o d --force <d", "the recording and --output are the same file, d"),
        ("report - -o d --force <d", "the input and --output are the same file, d"),
        ("dissect - <d >>d", nil),
        ("export - -o - <d >>d", "the recording and standard output are the same file, standard input"),
        ("export d >>d", "the recording and standard output are the same file, d"),
        ("plan d --loss 5% >>d", "the recording and standard output are the same file, d"),
        ("import d -o e.telecap 2>>d", "the recording and standard error are the same file, d"),
        ("conform --sut model:touch --json r >>r", "--json and standard output are the same file, r"),
      ], oneIn: 3))
  func refused(_ line: String, _ words: String?) throws {
    try FileManager.default.copyItem(atPath: capture, toPath: folder["d.pcapng"])
    let end = try run(line)
    #expect(end.status == 64, "\(end)")
    if let words, !line.contains("2>>") { #expect(end.errors.hasPrefix("Error: \(words)"), "\(end.errors)") }
    for name in ["d", "d.pcapng"] where !line.contains("2>>") {
      #expect(try [UInt8](file: folder[name]) == [UInt8](file: capture))
    }
  }

  @Test(
    "What is read where nothing else is written, and would grow by what is printed",
    arguments: ["info d >>d", "dissect d >>d", "dissect d.telecap >>d.telecap", "info - <d >>d", "ahap lint d >>d"])
  func appended(_ line: String) throws {
    let before = try ["d", "d.telecap"].map { try [UInt8](file: folder[$0]) }
    let end = try run(line)
    #expect(end.status == 64, "\(end)")
    #expect(
      end.errors.contains(
        ": standard output goes into this file, which would grow while it is read\n"
          + "  print to another file, or through a pipe\n"),
      "\(end.errors)")
    let after = try ["d", "d.telecap"].map { try [UInt8](file: folder[$0]) }
    #expect(after == before)
  }

  @Test("Standard input that is another file, and output that is no file, are read and written")
  func others() throws {
    let end = try run(
      """
      export - -o out.csv <d && "$telecap" dissect --summary - <d >>sum && "$telecap" info d <d >/dev/null
      """)
    #expect(end.status == 0, "\(end.errors)")
    #expect(folder.names == ["d", "d.telecap", "out.csv", "sum"])
  }
}
