import Foundation
import TelecapTestSupport
import Testing

/// Programs that talk on loopback on ports of their own, and the options that say so.
struct Talk: Sendable {
  let host: Socket
  let phone: Socket
  let tcp: Socket
  let options: [String]

  init() throws {
    host = try .udp()
    phone = try .udp()
    tcp = try .listener()
    options = [
      "--tele-udp", "\(host.port)", "--tele-tcp", "\(tcp.port)", "--tele-beacon", "\(try freePort())",
      "--mouse-udp", "\(try freePort())", "--mouse-tcp", "\(try freePort())",
    ]
  }

  /// Sends datagrams to the host, and waits until the last has arrived: then all have passed the interface.
  func send(_ datagrams: [[UInt8]]) throws {
    for bytes in datagrams {
      try phone.send(bytes, to: host.port)
      _ = try host.receive()
    }
  }
}

@Suite("record from an interface", .serialized, .enabled(if: isRoot, "capturing needs root"), .real("runs telecap"))
struct RecordTests {
  let folder: Folder
  let talk: Talk
  var capture: String { folder["session.telecap"] }

  init() throws {
    folder = try Folder()
    talk = try Talk()
  }

  private func start(_ more: [String] = []) throws -> Running {
    let program = try Program.start(["record", "-o", capture] + talk.options + more)
    try program.wait(for: "recording \(loopback)")
    return program
  }

  @Test("Keeps every packet as it was sent, until a signal ends it", arguments: [SIGINT, SIGTERM])
  func keepsEveryPacketAsItWasSentUntilASignalEndsIt(signal: Int32) throws {
    let program = try start()
    let sent = [Bytes.hello] + (1...50).map { Bytes.pose($0) }
    try talk.send(sent)
    program.signal(signal)
    let end = try program.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.hasPrefix("\(capture): 51 packets, "))
    #expect(end.output.contains("dropped: kernel 0, interface 0, queue 0"))
    #expect(end.output.contains("  tele  POSE   50  "), "\(end.output)")
    let frames = try sql(capture, "SELECT lower(hex(substr(frame, 43))) FROM packet ORDER BY id")
    #expect(frames.map { hex($0[0]) } == sent)
    #expect(try sql(capture, "SELECT COUNT(*), MIN(seq), MAX(seq) FROM tele_pose") == [["50", "1", "50"]])
    #expect(try sql(capture, "SELECT dissection_complete, ended_ns > started_ns FROM capture") == [["1", "1"]])
    #expect(folder.names == ["session.telecap"])
  }

  @Test("Keeps a TCP conversation, both ways")
  func keepsATCPConversationBothWays() throws {
    let program = try start()
    let phone = try Socket.connected(to: talk.tcp.port)
    let host = try talk.tcp.accepted()
    for byte in Bytes.framed(Bytes.hello) { try phone.send([byte]) }
    _ = try host.receive(Bytes.hello.count + 2)
    try host.send(Bytes.framed(Bytes.ackTCP) + Bytes.framed(Bytes.haptic))
    _ = try phone.receive(Bytes.ackTCP.count + Bytes.haptic.count + 4)
    program.signal(SIGINT)
    #expect(try program.finish().status == 0)
    #expect(
      try sql(capture, "SELECT type, direction, carrier, session FROM dissection ORDER BY message") == [
        ["HELLO", "client-to-server", "tcp", "NULL"], ["ACK", "server-to-client", "tcp", "1"],
        ["HAPTIC", "server-to-client", "tcp", "1"],
      ])
    #expect(try sql(capture, "SELECT COUNT(*) FROM finding") == [["0"]])
  }

  @Test("Stops after so many packets")
  func stopsAfterSoManyPackets() throws {
    let program = try start(["--count", "3"])
    try talk.send((1...8).map { Bytes.pose($0) })
    #expect(try program.finish().status == 0)
    #expect(try sql(capture, "SELECT group_concat(seq) FROM tele_pose") == [["1,2,3"]])
  }

  @Test("Stops after a while, and says so as JSON")
  func stopsAfterAWhileAndSaysSoAsJSON() throws {
    let program = try start(["--duration", "300ms", "--format", "json"])
    try talk.send([Bytes.haptic])
    let end = try program.finish()
    let summary = try #require(try end.json().first)
    #expect(end.status == 0)
    #expect(end.lines.count == 1)
    #expect(summary["packets"] as? Int == 1)
    #expect(summary["file"] as? String == capture)
    #expect((summary["duration_ns"] as? Int).map { (300_000_000...20_000_000_000).contains($0) } == true)
    #expect(summary["dropped"] as? [String: Int] == ["kernel": 0, "interface": 0, "queue": 0])
  }

  @Test("Takes a filter of one's own")
  func takesAFilterOfOnesOwn() throws {
    let program = try start(["--bpf", "udp and dst port \(talk.phone.port)"])
    try talk.send([Bytes.hello, Bytes.pose(1)])
    try talk.host.send(Bytes.ack, to: talk.phone.port)
    _ = try talk.phone.receive()
    program.signal(SIGINT)
    #expect(try program.finish().status == 0)
    #expect(try sql(capture, "SELECT type FROM message") == [["ACK"]])
    #expect(try sql(capture, "SELECT filter FROM capture") == [["udp and dst port \(talk.phone.port)"]])
  }

  #if os(Linux)
    @Test("Any interface has its own link type")
    func anyInterfaceHasItsOwnLinkType() throws {
      let program = try Program.start(["record", "-o", capture, "-i", "any"] + talk.options)
      try program.wait(for: "recording any")
      try talk.send([Bytes.haptic])
      program.signal(SIGINT)
      #expect(try program.finish().status == 0)
      #expect(try sql(capture, "SELECT type FROM message") == [["HAPTIC"]])
    }
  #endif

  @Test("Cuts frames at the snap length and says so")
  func cutsFramesAtTheSnapLengthAndSaysSo() throws {
    let program = try start(["--snap-length", "64"])
    try talk.send([Bytes.pose(1), Bytes.haptic])
    program.signal(SIGINT)
    #expect(try program.finish().status == 0)
    #expect(try sql(capture, "SELECT original_length, length(frame) FROM packet") == [["88", "64"], ["54", "54"]])
    #expect(try sql(capture, "SELECT type FROM message") == [["HAPTIC"]])
    #expect(
      try sql(capture, "SELECT packet, rule, text FROM finding WHERE rule LIKE 'packet%'") == [
        ["1", "packet.damaged", "the packet is cut short: needed 46 bytes, had 22"]
      ])
  }

  @Test("An output that exists is refused without force")
  func anOutputThatExistsIsRefusedWithoutForce() throws {
    _ = try folder.write([1, 2, 3], to: "session.telecap")
    let refused = try Program.run(["record", "-o", capture])
    #expect(refused.status == 73)
    #expect(refused.errors == "telecap: \(capture): exists already; --force replaces it\n")
    #expect(try Data(contentsOf: URL(filePath: capture)) == Data([1, 2, 3]))
    let forced = try start(["--force", "--count", "1"])
    try talk.send([Bytes.haptic])
    #expect(try forced.finish().status == 0)
    #expect(try sql(capture, "SELECT type FROM message") == [["HAPTIC"]])
  }

  @Test("What cannot work is refused before anything is written")
  func whatCannotWorkIsRefusedBeforeAnythingIsWritten() throws {
    let cases: [(arguments: [String], status: Int32, words: String)] = [
      (["-o", folder["none/x.telecap"]], 73, "none/x.telecap: cannot be created"),
      (["-o", capture, "--bpf", "udp and and"], 64, "the filter “udp and and” is not understood"),
      (["-o", capture, "-i", "nosuch0"], 66, "nosuch0: no such interface; there are "),
      (["-o", capture, "--count", "0"], 64, "--count is 1 or more"),
      (["-o", capture, "--duration", "10"], 64, "has no unit"),
      (["-o", capture, "--snap-length", "1"], 64, "--snap-length is 64 to 262144 bytes"),
      (["-o", capture, "--relay", "udp:1"], 64, "does not say where to pass packets on to"),
      ([], 64, "Missing expected argument '--output <file>'"),
    ]
    for (arguments, status, words) in cases {
      let end = try Program.run(["record"] + arguments)
      #expect(end.status == status, "\(arguments): \(end.errors)")
      #expect(end.errors.contains(words), "\(end.errors)")
      #expect(end.output == "")
    }
    #expect(folder.names == [])
  }
}

@Suite("record without the right to", .real("runs telecap"))
struct RecordPermissionTests {
  #if os(Linux)
    @Test(
      "Is needed in part only: cap_net_raw is enough to record, and every other command gives it up",
      .enabled(if: isRoot, "only root can give it"), arguments: [true, false])
    func isNeededInPartOnly(isRecording: Bool) throws {
      let folder = try Folder()
      chmod(folder.path, 0o777)
      // The program may lie where only root can look, so it is copied to where nobody can.
      let program = folder["telecap"]
      try FileManager.default.copyItem(atPath: Program.path, toPath: program)
      let command =
        isRecording
        ? "record -o \(folder["a.telecap"])"
        : "relay udp:\(try freePort())=127.0.0.1:\(try freePort())"
      let end = try Program.shell(
        """
        setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all,+net_raw --ambient-caps=-all,+net_raw \
          \(program) \(command) 2> \(folder["said"]) &
        until grep -q '\(isRecording ? "recording" : "relaying")' \(folder["said"]) || ! kill -0 $!; do sleep 0.02; done
        grep CapPrm /proc/$!/status
        kill -INT $!
        wait $!
        """)
      try FileManager.default.removeItem(atPath: program)
      #expect(end.status == 0, "\(end.errors)")
      #expect(end.output.contains("CapPrm:\t000000000000\(isRecording ? "2" : "0")000"), "\(end.output)")
    }
  #endif

  @Test("Is refused with advice, and leaves no file behind")
  func isRefusedWithAdviceAndLeavesNoFileBehind() throws {
    let folder = try Folder()
    chmod(folder.path, 0o777)
    let file = folder["session.telecap"]
    let command = "exec $telecap record -o \(file)"
    #if canImport(Darwin)
      try #require(!isRoot, "run this as a user without rights")
      let end = try Program.shell(command)
    #else
      // The program may lie where only root can look, so it is copied to where nobody can.
      let program = folder["telecap"]
      try FileManager.default.copyItem(atPath: Program.path, toPath: program)
      let prefix = isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all" : ""
      let end = try Program.shell("telecap=\(program); exec \(prefix) \(command.dropFirst(5))")
      try FileManager.default.removeItem(atPath: program)
    #endif
    #expect(end.status == 77, "\(end.errors)")
    #expect(end.errors.hasPrefix("telecap: "))
    #if os(Linux)
      #expect(end.errors.contains("sudo setcap cap_net_raw=ep"))
    #endif
    #expect(end.errors.contains("telecap record --relay"))
    #expect(folder.names == [])
  }
}
