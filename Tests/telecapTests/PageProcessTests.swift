import Foundation
import TelecapTestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `--view` is served by a process of its own, whose faults end nothing else.
@Suite(.real("runs telecap")) struct PageProcessTests {
  private let folder: Folder
  private let port: UInt16

  init() throws { (folder, port) = (try Folder(), try freePort()) }

  private func start(_ command: [String]) throws -> (program: Running, page: URL) {
    let program = try Program.start(command + ["--view", "--no-open"])
    try program.wait("for its page") { program.errors.contains("/0/\n") && program.errors.contains("relaying") }
    let line = try #require(program.errors.split(separator: "\n").first { $0.hasPrefix("view http") })
    return (program, try #require(URL(string: String(line.dropFirst("view ".count)))))
  }

  /// The process that serves the pages of a program; nil while there is none.
  private func server(of program: Running) throws -> Int32? {
    try Program.shell("pgrep -P \(program.id)").output.split(separator: "\n").compactMap { Int32($0) }.first
  }

  private func get(_ page: URL, _ form: String? = nil) async throws -> (status: Int?, body: String) {
    var request = URLRequest(url: page)
    if let form {
      (request.httpMethod, request.httpBody) = ("POST", Data(form.utf8))
      request.setValue("http://127.0.0.1:\(page.port ?? 0)", forHTTPHeaderField: "Origin")
    }
    let (body, answer) = try await URLSession.shared.data(for: request)
    return ((answer as? HTTPURLResponse)?.statusCode, String(decoding: body, as: UTF8.self))
  }

  @Test("A recording goes on when that process ends by a fault, and its page comes back at its address")
  func recording() async throws {
    let path = folder["a.telecap"]
    let (program, page) = try start(["record", "-o", path, "--relay", "udp:\(port)=\(try closedPort())"])
    let sender = try Socket.udp()
    try sender.send([1, 2, 3], to: port)
    let first = try #require(try server(of: program))
    kill(first, SIGILL)
    try program.wait(for: "the process that serves the pages ended with signal \(SIGILL): it is started again")
    try sender.send([4, 5, 6], to: port)
    var asked: (status: Int?, body: String)?
    for _ in 0..<200 where asked?.body.contains("data-events") != true {
      asked = try? await get(page)
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(asked?.status == 200)
    let second = try #require(try server(of: program))
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 0 && first != second, "\(end)")
    try await eventually { !isRunning(second) }
    #expect(try Program.run(["info", path]).output.contains("2 packets"))
  }

  @Test("The page of a relay shows and changes its network, also after such a fault")
  func relay() async throws {
    let (program, page) = try start(["relay", "udp:\(port)=\(try closedPort())", "--loss", "5%"])
    #expect(try await get(page).body.contains("name=\"loss\""))
    kill(try #require(try server(of: program)), SIGKILL)
    try program.wait(for: "it is started again")
    let network = page.appending(path: "network")
    var changed: (status: Int?, body: String)?
    for _ in 0..<200 where changed == nil {
      changed = try? await get(network, "loss=25")
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(changed?.status == 200 && changed?.body.contains("--loss 25%") == true, "\(String(describing: changed))")
    #expect(program.errors.contains("network changed: --loss 25%"))
    let refused = try await get(network, "loss=101")
    #expect(refused.status == 400)
    program.signal(SIGINT)
    #expect(try program.finish().status == 0)
  }

  #if os(Linux)
    @Test("Where it cannot be started again the recording goes on to its end, and is whole")
    func lost() throws {
      let (path, copy) = (folder["a.telecap"], folder["telecap"])
      try FileManager.default.copyItem(atPath: Program.path, toPath: copy)
      let program = try Running(
        copy, ["record", "-o", path, "--relay", "udp:\(port)=\(try closedPort())", "--view", "--no-open"])
      try program.wait(for: "relaying")
      let sender = try Socket.udp()
      // The program's file is replaced: it can be started all the same.
      try FileManager.default.removeItem(atPath: copy)
      let first = try #require(try server(of: program))
      kill(first, SIGKILL)
      try program.wait("for the next") { (try? server(of: program)).flatMap { $0 }.map { $0 != first } ?? false }
      // Its port is somebody else's from now on.
      let number = try #require(
        program.errors.firstMatch(of: /view http:\/\/127.0.0.1:(\d+)\//).flatMap { UInt16($0.1) })
      var other: Socket?
      try program.wait("for the port") {
        if let id = try? server(of: program) { kill(id, SIGKILL) }
        other = try? Socket.listener(at: number)
        return other != nil
      }
      try program.wait(for: "the pages are gone, all else goes on")
      try sender.send([1, 2, 3], to: port)
      program.signal(SIGINT)
      let end = try program.finish()
      #expect(end.status == 0 && end.output.contains("1 packet") && other != nil, "\(end)")
    }
  #endif

  @Test("It ends with a command that is killed")
  func killed() throws {
    let (program, _) = try start(["record", "-o", folder["a.telecap"], "--relay", "udp:\(port)=\(try closedPort())"])
    let server = try #require(try server(of: program))
    program.signal(SIGKILL)
    _ = try program.finish()
    try program.wait("for the end of its page") { !isRunning(server) }
  }

  @Test("Whoever starts it by hand is told who does")
  func byHand() throws {
    let end = try Program.run(["page-server"])
    #expect(end.status == 64 && end.errors.contains("is started by record, relay and conform with --view"))
  }
}
