import Foundation
import TelecapConformance
import TelecapTestSupport
import Testing

@testable import TelecapReplay

/// `telecap.yaml`: where it is found, what it says, and which options follow from it.
@Suite struct ProjectFileTests {
  private static let text = """
    protocols: [lamp.yaml, dsu, /p/other.yaml]
    ports: {lamp-udp: 4001, tele-udp: 50002}
    sut: ci/host.yaml
    code: ABC123
    reports: {junit: out/junit.xml, html: "-"}
    """

  private func project(_ text: String = ProjectFileTests.text) throws -> ProjectFile {
    try ProjectFile(text, path: "/w/telecap.yaml")
  }

  @Test("Paths are relative to the file, and names stay names")
  func paths() throws {
    let project = try project()
    #expect(project.protocols == ["/w/lamp.yaml", "dsu", "/p/other.yaml"])
    #expect(project.ports == ["lamp-udp=4001", "tele-udp=50002"])
    #expect(project.sut == "/w/ci/host.yaml" && project.code == "ABC123")
    #expect(project.reports.map(\.option) == ["junit", "html"])
    #expect(project.reports.map(\.path) == ["/w/out/junit.xml", "-"])
    for sut in ["model:phone", "udp://127.0.0.1:9?role=host"] { #expect(try self.project("sut: '\(sut)'").sut == sut) }
  }

  @Test(
    "Errors have line and column",
    arguments: [
      ("protocol: [a.yaml]", "/w/telecap.yaml:1:1: unknown key \"protocol\" in project; did you mean \"protocols\"?"),
      ("sut: a\nports: {x: 0}", "/w/telecap.yaml:2:12: \"x\": a port is 1 to 65535, found 0"),
      ("reports: {xml: a}", "/w/telecap.yaml:1:11: unknown key \"xml\" in reports;"),
      ("protocols: a.yaml", "/w/telecap.yaml:1:12: \"protocols\": expected a list, each entry text, found \"a.yaml\""),
    ])
  func errors(_ text: String, _ words: String) {
    let error = #expect(throws: YAMLFileError.self) { try project(text) }
    #expect(error.map { "\($0)" }?.hasPrefix(words) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("It is looked for upwards, to the home folder or the root")
  func candidates() {
    #expect(
      ProjectFile.candidates(from: "/home/a/b/c", home: "/home/a")
        == ["/home/a/b/c/telecap.yaml", "/home/a/b/telecap.yaml", "/home/a/telecap.yaml"])
    #expect(
      ProjectFile.candidates(from: "/x/y", home: "/home/a")
        == ["/x/y/telecap.yaml", "/x/telecap.yaml", "/telecap.yaml"])
    #expect(ProjectFile.candidates(from: "/", home: nil) == ["/telecap.yaml"])
  }

  @Test("The nearest file is read")
  func nearest() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(atPath: folder["a/b"], withIntermediateDirectories: true)
    _ = try folder.write(Array("code: OUTER1\n".utf8), to: "telecap.yaml")
    func find(_ path: String) throws -> ProjectFile? {
      try ProjectFile.find(from: path, home: folder.path) { Issue.record("\($0)") }
    }
    #expect(try find(folder["a/b"])?.code == "OUTER1")
    _ = try folder.write(Array("code: INNER1\n".utf8), to: "a/telecap.yaml")
    #expect(try find(folder["a/b"])?.path == folder["a/telecap.yaml"])
    #expect(try find(folder["a/b"])?.code == "INNER1")
  }

  private func options(_ line: String, _ takes: Set<String>) throws -> [String] {
    try project().options(for: line.split(separator: " ").map(String.init), where: takes.contains)
  }

  @Test("A command gets the options that it has and that are not given")
  func options() throws {
    let protocols = ["--protocol", "/w/lamp.yaml", "--protocol", "dsu", "--protocol", "/p/other.yaml"]
    let ports = ["--port", "lamp-udp=4001", "--port", "tele-udp=50002"]
    #expect(try options("dissect a.pcap", ["protocol", "port"]) == protocols + ports)
    #expect(
      try options("dissect a.pcap --protocol x --port tele-udp=1", ["protocol", "port"]) == Array(ports.prefix(2)))
    #expect(try options("dissect --hex 00", ["protocol"]) == [])
    #expect(try options("simulate host", ["code"]) == ["--code", "ABC123"])
    #expect(try options("sync", []) == [])
    // A replay has reports too, which require a system.
    #expect(try options("replay a.pcap", ["junit", "html"]) == [])
  }

  @Test("conform gets its system and its reports, which a list does not have")
  func conform() throws {
    let takes: Set = ["sut", "junit", "html"]
    let reports = ["--junit", "/w/out/junit.xml", "--html", "-"]
    #expect(try options("conform", takes) == ["--sut", "/w/ci/host.yaml"] + reports)
    #expect(try options("conform --sut models --html a.html", takes) == Array(reports.prefix(2)))
    #expect(try options("conform --dry-run", takes) == ["--sut", "/w/ci/host.yaml"])
    #expect(try options("conform --list", takes) == [])
  }

  /// Written anew with `TELECAP_RECORD=1`, which fails the test so that nobody forgets it is set.
  @Test("The schema is what the decoder goes by")
  func schema() throws {
    let file = Project.file("Documentation/project.schema.json")
    let made = JSONSchema.text(
      of: ProjectFile.shape, id: "https://telecap.dev/project.schema.json", title: "A project of telecap")
    if ProcessInfo.processInfo.environment["TELECAP_RECORD"] != nil {
      try made.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(file.path)")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == made)
  }
}
