import Foundation
import TelecapTestSupport
import Testing

/// From its first packet on a recording has no hole, and what the kernel drops is told once.
@Suite(
  "record, its beginning and its drops", .serialized, .enabled(if: isRoot, "capturing needs root"),
  .real("runs telecap"))
struct RecordBeginningTests {
  private let folder: Folder
  private let talk: Talk
  private var capture: String { folder["session.telecap"] }

  init() throws {
    folder = try Folder()
    talk = try Talk()
  }

  /// What is recorded, so that nobody else's packets are among ours: ports that were free may be others' by now.
  private var only: [String] { talk.options + ["--bpf", "udp port \(talk.host.port)"] }

  /// The first four bytes of each payload.
  private func numbers() throws -> [Int] {
    try sql(capture, "SELECT hex(substr(frame, 43, 4)) FROM packet ORDER BY id").map { Int($0[0], radix: 16) ?? -1 }
  }

  private static func payload(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) } + [UInt8](repeating: 0, count: 20)
  }

  @Test("Has everything from its line on", arguments: 0..<20)
  func hasEverythingFromItsLineOn(run: Int) throws {
    let program = try Program.start(["record", "-o", capture] + only)
    try program.wait(for: "recording ")
    for number in 0..<100 { try talk.phone.send(Self.payload(number), to: talk.host.port) }
    for _ in 0..<100 { _ = try talk.host.receive() }
    program.signal(SIGINT)
    #expect(try program.finish().status == 0)
    #expect(try numbers() == Array(0..<100))
  }

  @Test("Has no hole where others talk while it begins", arguments: 0..<12)
  func hasNoHoleWhereOthersTalkWhileItBegins(run: Int) throws {
    let sender = Repetition { [talk] round in
      for number in 4 * round..<4 * round + 4 { try? talk.phone.send(Self.payload(number), to: talk.host.port) }
      usleep(50)
    }
    let program = try Program.start(["record", "-o", capture, "--count", "2000"] + only)
    let end = try program.finish()
    sender.stop()
    #expect(end.status == 0, "\(end.errors)")
    let numbers = try numbers()
    let first = try #require(numbers.first)
    #expect(numbers == Array(first..<first + 2_000))
  }

  #if os(Linux)
    @Test("Counts each packet that the kernel drops once", arguments: ["lo", "any"])
    func countsEachPacketThatTheKernelDropsOnce(interface: String) throws {
      let program = try Program.start(
        ["record", "-i", interface, "-o", capture, "--buffer-size", "1", "--format", "json"] + only)
      try program.wait(for: "recording ")
      program.signal(SIGSTOP)
      for number in 0..<20_000 { try talk.phone.send(Self.payload(number), to: talk.host.port) }
      program.signal(SIGCONT)
      // What was sent last is seen behind all that came before.
      let deadline = ContinuousClock.now + .seconds(20)
      while try sql(capture, "SELECT COUNT(*) > 0 AND dropped_kernel > 0 FROM packet, capture") != [["1"]],
        .now < deadline
      { usleep(20_000) }
      program.signal(SIGINT)
      let end = try program.finish()
      #expect(end.status == 0, "\(end.errors)")
      let summary = try #require(try end.json().first)
      let packets = try #require(summary["packets"] as? Int)
      let dropped = try #require((summary["dropped"] as? [String: Any])?["kernel"] as? Int)
      #expect(packets > 0 && dropped > 0 && packets + dropped == 20_000)
    }

    private static let alone = ["unshare", "-n"]

    @Test("Says that its interface went down and came back")
    func saysThatItsInterfaceWentDownAndCameBack() throws {
      let script = """
        ip link set lo up || exit 99
        "$telecap" record -o '\(capture)' 2>&1 & recorder=$!
        read -r _; ip link set lo down
        read -r _; ip link set lo up
        read -r _; kill -INT $recorder; wait $recorder
        """
      // Each line of the script's input is a step.
      #expect(mkfifo(folder["steps"], 0o600) == 0)
      let program = try Running(
        "/usr/bin/env", Self.alone + ["/bin/sh", "-c", "exec < '\(folder["steps"])'; \(script)"],
        environment: ["telecap": Program.path])
      let steps = try FileHandle(forWritingTo: URL(filePath: folder["steps"]))
      for line in ["recording lo\n", "lo went down: nothing is recorded until it is up again\n", "lo is up again\n"] {
        let deadline = ContinuousClock.now + .seconds(20)
        while !program.output.hasSuffix(line), .now < deadline { usleep(5_000) }
        #expect(program.output.hasSuffix(line), "\(program.output)")
        try steps.write(contentsOf: Data("\n".utf8))
      }
      try steps.close()
      #expect(try program.finish().status == 0)
      // Who reads the capture later is told as well.
      let info = try Program.run(["info", capture]).output
      for line in ["UTC: lo went down: nothing is recorded until it is up again\n", "UTC: lo is up again\n"] {
        #expect(info.contains(line), "\(info)")
      }
    }

    /// Runs a script in a network of its own, in which it records one end of a pair of interfaces; what was told, line by line.
    private func told(of interface: String, _ changes: String) throws -> [String] {
      let script = """
        ip link set lo up && ip link add near type veth peer name far && ip link set near up && ip link set far up || exit 99
        until ip link show near | grep -q LOWER_UP; do :; done
        "$telecap" record -i \(interface) -o '\(capture)' 2>'\(folder["told"])' & recorder=$!
        until grep -q "recording \(interface)" '\(folder["told"])'; do :; done
        \(changes)
        kill -INT $recorder; wait $recorder
        """
      let end = try Running(
        "/usr/bin/env", Self.alone + ["/bin/sh", "-c", script], environment: ["telecap": Program.path]
      ).finish()
      #expect(end.status == 0, "\(end.errors)")
      let text = try String(contentsOfFile: folder["told"], encoding: .utf8)
      return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("near ") }
    }

    @Test("Says each time that its interface was down, however short", arguments: ["near", "any"])
    func saysEachTimeThatItsInterfaceWasDownHoweverShort(interface: String) throws {
      let told = try told(of: interface, "for turn in 1 2 3; do ip link set near down; ip link set near up; done")
      let down = "near went down: nothing is recorded until it is up again"
      #expect(told.filter { $0 == down }.count == 3, "\(told)")
      #expect(told.filter { $0.hasPrefix("near is up again") }.count == 3, "\(told)")
    }

    @Test("Says that its interface lost its carrier, also for a moment", arguments: ["near", "any"])
    func saysThatItsInterfaceLostItsCarrierAlsoForAMoment(interface: String) throws {
      let told = try told(of: interface, "ip link set far down; ip link set far up; ip link set far down")
      // The kernel gathers what happens to carriers: the first loss is told by itself, or counted.
      let isCounted = told.first == "near lost its carrier for a moment"
      let isSeen = told.first == "near lost its carrier: nothing comes until it has it again"
      #expect((isCounted || isSeen) && told.count > 1, "\(told)")
      let last = [
        "near lost its carrier: nothing comes until it has it again",
        "near had its carrier for a moment and lost it again",
      ]
      #expect(told.last.map(last.contains) == true, "\(told)")
    }
  #endif

  @Test("Takes --durable")
  func takesDurable() throws {
    let program = try Program.start(["record", "-o", capture, "--durable", "--count", "3"] + only)
    try program.wait(for: "recording ")
    try talk.send([Bytes.hello, Bytes.pose(1), Bytes.pose(2)])
    #expect(try program.finish().status == 0)
    #expect(try numbers().count == 3)
  }
}
