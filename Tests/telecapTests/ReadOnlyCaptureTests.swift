import Foundation
import TelecapTestSupport
import Testing

extension FileManager {
  /// Puts a file somewhere else too, as a link where the file system allows it.
  func linkOrCopy(_ path: String, to other: String) throws {
    do { try linkItem(atPath: path, toPath: other) } catch { try copyItem(atPath: path, toPath: other) }
  }
}

/// A capture that one may read, in a folder that one may not write: asked by somebody who is not the system's owner.
@Suite(.real("runs telecap")) struct ReadOnlyCaptureTests {
  /// Ends like a program that was run by nobody in particular: root may write everywhere.
  private func run(_ script: String, in folder: Folder) throws -> Finished {
    let drop = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "env"
    // The program itself may stand where only its owner may look.
    let copy = folder["telecap"]
    if !FileManager.default.fileExists(atPath: copy) {
      try FileManager.default.linkOrCopy(Program.path, to: copy)
    }
    return try Program.shell(
      "chmod 555 '\(folder.path)' && cd '\(folder.path)' && \(drop) ./telecap \(script); "
        + "status=$?; chmod 755 '\(folder.path)'; exit $status")
  }

  /// - Parameter isDerived: whether the capture knows its messages.
  private func capture(_ name: String, isDerived: Bool, in folder: Folder) throws {
    let source = Project.file("Captures/teleoperation.pcapng").path
    #expect(try Program.run(["import", source, "-o", folder[name]]).status == 0)
    #expect(try sql(folder[name], "PRAGMA journal_mode = WAL") == [["wal"]])
    if !isDerived { _ = try sql(folder[name], "UPDATE capture SET dissection_complete = 0") }
  }

  @Test(
    "It is read, whether or not it has been dissected", .enabled(if: hasSetpriv),
    arguments: [
      "info", "dissect --summary", "export --format csv -o - --where 'seq = 1'", "replay --to model:host --role phone",
    ],
    [true, false])
  func read(_ command: String, _ isDerived: Bool) throws {
    let folder = try Folder()
    try capture("a.telecap", isDerived: isDerived, in: folder)
    let words = command.split(separator: " ", maxSplits: 1)
    let end = try run("\(words[0]) a.telecap \(words.count > 1 ? words[1] : "")", in: folder)
    #expect(end.status == 0, "\(end.errors)")
    let expected = [
      "info": "129 packets", "dissect": "POSE", "export": "16734", "replay": "PASS  tele.pose.latest-value-wins",
    ]
    #expect(end.output.contains(expected[String(words[0])] ?? "?"), "\(end.output) \(end.errors)")
    #expect(folder.names == ["a.telecap", "telecap"])
  }

  @Test("What was committed last and cannot be read there is told, not left out", .enabled(if: hasSetpriv))
  func log() throws {
    let folder = try Folder()
    try capture("a.telecap", isDerived: true, in: folder)
    try Data([1, 2, 3]).write(to: URL(filePath: folder["a.telecap-wal"]))
    let end = try run("info a.telecap", in: folder)
    #expect(end.status == 66)
    #expect(
      end.errors
        == "telecap: a.telecap: cannot be read: the last packets are in a.telecap-wal, and the folder is not writable; "
        + "copy both files to a writable folder\n")
  }

  @Test("A result that stands in such a folder and may be written is written where it is", .enabled(if: hasSetpriv))
  func result() throws {
    let folder = try Folder()
    try capture("a.telecap", isDerived: true, in: folder)
    _ = try folder.write(Array("before, and longer than nothing".utf8), to: "a.csv")
    #expect(chmod(folder["a.csv"], 0o666) == 0)
    let end = try run("export a.telecap -o a.csv --force", in: folder)
    #expect(end.status == 0, "\(end.errors)")
    #expect(try String(decoding: [UInt8](file: folder["a.csv"]), as: UTF8.self).hasPrefix("packet,message,"))
    let refused = try run("export a.telecap -o b.csv", in: folder)
    #expect(refused.status == 73 && refused.errors.contains("b.csv: Permission denied"), "\(refused.errors)")
  }

  private static let hasSetpriv = geteuid() != 0 || FileManager.default.fileExists(atPath: "/usr/bin/setpriv")
}
