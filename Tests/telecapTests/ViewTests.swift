import Foundation
import TelecapTestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `telecap view`, from outside: one address with a token, on loopback.
@Suite(.real("runs telecap")) struct ViewTests {
  private static let capture = Project.file("Captures/teleoperation.pcapng").path

  @Test("It prints its address, answers there and nowhere else, and ends when it is told to")
  func serves() async throws {
    let program = try Program.start(["view", Self.capture, "--no-open"])
    let line = try Self.firstLine(of: program)
    #expect(line.hasPrefix("http://127.0.0.1:"))
    let address = try #require(URL(string: line))
    let (page, answer) = try await URLSession.shared.data(from: address)
    #expect((answer as? HTTPURLResponse)?.statusCode == 200)
    #expect(String(decoding: page, as: UTF8.self).contains("Captures/teleoperation.pcapng"))
    let policy = (answer as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Security-Policy") ?? ""
    #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe"))
    let root = try #require(URL(string: "/", relativeTo: address))
    let (_, refused) = try await URLSession.shared.data(from: root)
    #expect((refused as? HTTPURLResponse)?.statusCode == 404)
    program.signal(SIGINT)
    #expect(try program.finish(seconds: 20).status == 0)
  }

  @Test("Results of conform are shown too")
  func results() async throws {
    let folder = try Folder()
    _ = try Program.run(["conform", "--json", folder["a.json"], "--only", "mouse.hid.layout"])
    let program = try Program.start(["view", folder["a.json"], "--no-open"])
    let address = try #require(URL(string: try Self.firstLine(of: program)))
    let (page, _) = try await URLSession.shared.data(from: address)
    #expect(String(decoding: page, as: UTF8.self).contains("mouse.hid.layout"))
    program.signal(SIGINT)
    #expect(try program.finish(seconds: 20).status == 0)
  }

  @Test(
    "What is damaged in it is told on its pages, on the terminal and by the exit status",
    arguments: [
      ("session = 44", "row 18: session is 44; expected the id of a row of session", 200),
      ("kind_code = 900", "row 18: kind_code is 900; expected a ", 500),
    ])
  func damaged(_ change: String, _ problem: String, _ status: Int) async throws {
    let folder = try Folder()
    let path = folder["a.telecap"]
    try #require(try Program.run(["import", Self.capture, "-o", path]).status == 0)
    _ = try sql(path, "UPDATE message SET \(change) WHERE id = 18")
    let program = try Program.start(["view", path, "--no-open"])
    let address = try #require(URL(string: try Self.firstLine(of: program)))
    func asked(_ page: String) async throws -> (status: Int?, body: String) {
      let (body, answer) = try await URLSession.shared.data(from: address.appending(path: page))
      return ((answer as? HTTPURLResponse)?.statusCode, String(decoding: body, as: UTF8.self))
    }
    // Answers once it is known.
    #expect(try await asked("damage").body.contains("What is shown may be wrong or incomplete: \(path)"))
    for page in ["", "timeline", "packets"] {
      let answer = try await asked(page)
      #expect(answer.status == status && answer.body.contains("table message, \(problem)"))
    }
    #expect(program.errors.contains("\(path): the capture is damaged: table message, \(problem)"), "\(program.errors)")
    program.signal(SIGINT)
    #expect(try program.finish(seconds: 20).status == 65)
  }

  @Test("A file that broke off is shown as far as it goes, and told by the exit status as everywhere")
  func brokeOff() throws {
    let folder = try Folder()
    let part = try folder.write(Array([UInt8](file: Self.capture).dropLast(9)), to: "a.pcapng")
    let program = try Program.start(["view", part, "--no-open"])
    _ = try Self.firstLine(of: program)
    #expect(program.errors.contains("a.pcapng: "), "\(program.errors)")
    program.signal(SIGINT)
    #expect(try program.finish(seconds: 20).status == 65)
  }

  #if os(Linux)
    @Test("Where its address cannot be printed it is told beside")
    func fullOutput() throws {
      let words = ["-c", "exec \(Program.path) view \(Self.capture) --no-open > /dev/full"]
      let program = try Running("/bin/sh", words)
      try program.wait(for: "cannot write to standard output: No space left on device: http://127.0.0.1:")
      program.signal(SIGINT)
      #expect(try program.finish(seconds: 20).status == 0)
    }
  #endif

  /// The first line that a program prints.
  private static func firstLine(of program: Running) throws -> String {
    try program.wait("for its address", seconds: 300) { program.output.contains("\n") }
    return String(try #require(program.output.split(separator: "\n").first, "\(program.errors)"))
  }

  @Test("What cannot be shown is told")
  func problems() throws {
    #expect(try Program.run(["view", "none.telecap", "--no-open"]).status == 66)
    #expect(try Program.run(["view", "-", "--no-open"]).status == 64)
    #expect(try Program.run(["view", Self.capture, "--no-open", "--listen", "192.0.2.1:1"]).status == 69)
  }
}
