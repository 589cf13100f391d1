import Foundation
import TelecapTestSupport
import Testing

/// `telecap relay`, as it is run.
@Suite(.real("runs telecap")) struct RelayCommandTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  @Test("The network is played one way, recorded and told")
  func theNetworkIsPlayedOneWayRecordedAndTold() throws {
    let (host, phone, port) = (try Socket.udp(), try Socket.udp(), try freePort())
    let capture = folder["seen.telecap"]
    let program = try Program.start([
      "relay", "udp:\(port)=127.0.0.1:\(host.port)", "--set", "x=9@100%", "--set", "flags=1", "--delay", "50ms", "--up",
      "--seed", "3", "--record", capture, "--tele-udp", "\(host.port)",
    ])
    try program.wait(for: "recording relay")
    let begin = ContinuousClock.now
    try phone.send(Bytes.pose(1), to: port)
    let came = try host.receive()
    #expect(ContinuousClock.now - begin >= .milliseconds(50))
    #expect(came.bytes.count == 46 && Array(came.bytes[18..<22]) == [0, 0, 0x10, 0x41] && came.bytes[16] == 1)
    try host.send(Bytes.ack, to: came.from)
    #expect(try phone.receive().bytes == Bytes.ack)
    program.signal(SIGINT)
    let end = try program.finish()
    // The host acknowledged what was no HELLO.
    #expect(end.status == 1 && end.output.contains("a got an ACK for no HELLO"), "\(end.output)\n\(end.errors)")
    #expect(
      end.output.hasPrefix(
        """
        relay     udp 127.0.0.1:\(port) to 127.0.0.1:\(host.port): 1 client, 2 datagrams passed on
        up        set x=9,flags=1: 100% (1 of 1)
        up        delay 50ms: mean 50ms

        """), "\(end.output)")
    #expect(end.output.contains("\n\(capture): 2 packets, "), "\(end.output)")
    // What the phone sent is recorded, before the network had it.
    #expect(try sql(capture, "SELECT x FROM tele_pose") != [["9.0"]])
  }

  @Test("Both ends are judged by their messages, each with its own verdict", arguments: [3, 2] as [UInt16])
  func bothEndsAreJudgedByWhatTheySayAndToldApart(_ second: UInt16) throws {
    let (host, phone, port) = (try Socket.udp(), try Socket.udp(), try freePort())
    let program = try Program.start([
      "relay", "udp:\(port)=127.0.0.1:\(host.port)", "--tele-udp", "\(host.port)",
    ])
    try program.wait(for: "relaying udp")
    try phone.send(Bytes.hello, to: port)
    try host.send(Bytes.ack, to: host.receive().from)
    #expect(try phone.receive().bytes == Bytes.ack)
    for seq in [1, second] {
      try phone.send(Bytes.pose(seq), to: port)
      #expect(try host.receive().bytes == Bytes.pose(seq))
    }
    program.signal(SIGINT)
    let end = try program.finish()
    let words = "host 127.0.0.1:\(host.port), by what it says: 1 passed"
    #expect(end.output.contains("PASS  \(words)"), "\(end.output)\n\(end.errors)")
    let (verdict, status): (String, Int32) = second == 2 ? ("PASS", 0) : ("FAIL", 1)
    #expect(end.status == status)
    #expect(end.output.contains("\(verdict)  phone 127.0.0.1:\(phone.port), by what it says: "), "\(end.output)")
    #expect(end.output.contains("expected  seq 2 behind 1") == (second == 3))
  }

  @Test("What became of each datagram is kept as a plan, which replay carries out again")
  func whatBecameOfEachDatagramIsKeptAsAPlanWhichReplayCarriesOutAgain() throws {
    let (host, phone, port) = (try Socket.udp(), try Socket.udp(), try freePort())
    let (capture, up, down) = (folder["seen.telecap"], folder["up.plan"], folder["down.plan"])
    let program = try Program.start([
      "relay", "udp:\(port)=127.0.0.1:\(host.port)", "--loss", "40%", "--duplicate", "30%", "--set", "x=9@50%", "--up",
      "--seed", "3", "--record", capture, "--write-plan-up", up, "--write-plan-down", down, "--tele-udp",
      "\(host.port)",
    ])
    try program.wait(for: "recording relay")
    for number in 0..<40 { try phone.send(Bytes.pose(UInt16(number)), to: port) }
    while try sql(capture, "SELECT count(*) FROM packet") != [["40"]] { usleep(20_000) }
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors.contains("\(up): what became of 40 datagrams of the phone\n"), "\(end.errors)")
    // The host said nothing.
    #expect(end.errors.contains("\(down) was not written: nothing of the host was recorded\n"), "\(end.errors)")
    let came = host.received()
    #expect(came.count > 20 && Set(came).count < 40 && Set(came).count < came.count)
    let plan = try String(contentsOfFile: up, encoding: .utf8)
    let lines = try plan.split(separator: "\n").dropFirst().map { try PlainValue(json: $0) }
    #expect(lines.contains { $0["verdict"] == "drop" && $0["by"] == "loss" }, "\(plan)")
    #expect(lines.contains { $0["set"] == ["x": 9] && $0["due"]?.list.isEmpty == false }, "\(plan)")
    let again = try Socket.udp()
    let replay = try Program.run([
      "replay", capture, "--role", "phone", "--plan", up, "--to", "127.0.0.1:\(again.port)",
    ])
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(again.received() == came)
    // A plan that is there is not overwritten unasked.
    let other = try Program.run([
      "relay", "udp:\(port)=127.0.0.1:\(host.port)", "--record", folder["other.telecap"], "--write-plan-up", up,
    ])
    #expect(other.status == 73 && other.errors.contains("up.plan"), "\(other.errors)")
    // That there is no such folder is no news for the end.
    let nowhere = try Program.run([
      "relay", "udp:\(port)=127.0.0.1:\(host.port)", "--record", folder["other.telecap"], "--write-plan-up",
      folder["no/such"],
    ])
    #expect(nowhere.status == 73 && !nowhere.errors.contains("relaying"), "\(nowhere.errors)")
  }

  @Test("What was relayed is told where its plan or its recording cannot be kept")
  func whatWasRelayedIsToldWhereItsPlanOrItsRecordingCannotBeKept() throws {
    let (host, phone, port) = (try Socket.udp(), try Socket.udp(), try freePort())
    for isPlan in [true, false] {
      try FileManager.default.createDirectory(atPath: folder["kept"], withIntermediateDirectories: true)
      let (capture, plan) = (
        folder[isPlan ? "a.telecap" : "kept/b.telecap"], folder[isPlan ? "kept/up.plan" : "b.plan"]
      )
      let program = try Program.start([
        "relay", "udp:\(port)=127.0.0.1:\(host.port)", "--delay", "1ms", "--record", capture, "--write-plan-up", plan,
        "--tele-udp", "\(host.port)",
      ])
      try program.wait(for: "recording relay")
      for number in 0..<8 { try phone.send(Bytes.pose(UInt16(number)), to: port) }
      while try sql(capture, "SELECT count(*) FROM packet") != [["8"]] { usleep(20_000) }
      try FileManager.default.removeItem(atPath: folder["kept"])
      program.signal(SIGINT)
      let end = try program.finish()
      #expect(end.status == (isPlan ? 73 : 74), "\(end.errors)")
      #expect(end.output.contains("8 datagrams passed on"), "\(end.output)")
    }
  }

  @Test("A network that comes through a pipe is read once")
  func aNetworkThatComesThroughAPipeIsReadOnce() throws {
    let network = Project.file("Scenarios/networks/3g.yaml").path
    let end = try Program.shell(
      """
      mkfifo '\(folder["pipe"])' && { cat '\(network)' >'\(folder["pipe"])' & } && \
        timeout 30 "$telecap" relay udp:\(try freePort())=127.0.0.1:9 --network '\(folder["pipe"])' --duration 100ms
      """)
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.contains("up        rate 1200kbit"), "\(end.output)")
  }

  @Test("SIGHUP has the network read anew, and what is wrong with it is told while the old one stays")
  func sIGHUPHasTheNetworkReadAnewAndWhatIsWrongWithItIsToldWhileTheOldOneStays() throws {
    let (host, phone, port) = (try Socket.udp(), try Socket.udp(), try freePort())
    let network = folder["mine.yaml"]
    func write(_ text: String) throws {
      try ("network: mine\ntitle: Mine\nsource: this test\n" + text)
        .write(toFile: network, atomically: true, encoding: .utf8)
    }
    try write("set: flags=1\n")
    let program = try Program.start([
      "relay", "udp:\(port)=127.0.0.1:\(host.port)", "--network", network, "--tele-udp", "\(host.port)", "--up",
    ])
    try program.wait(for: "relaying udp")
    var seq: UInt16 = 0
    func flags() throws -> UInt8 {
      seq += 1
      try phone.send(Bytes.pose(seq), to: port)
      return try host.receive().bytes[16]
    }
    let plain = Bytes.pose(1)[16]
    #expect(try flags() == 1)
    try write("delay: 1ms\n")
    program.signal(SIGHUP)
    try program.wait(for: "network read anew: --delay 1ms\n")
    #expect(try flags() == plain)
    try write("delay: 1mm\n")
    program.signal(SIGHUP)
    try program.wait(for: "the network stays as it was: \(network):4:")
    #expect(try flags() == plain)
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.contains("up        delay 1ms: mean 1ms\n"), "\(end.output)")
    #expect(end.output.contains("changed 1 time while it ran; in all 3 datagrams"), "\(end.output)")
  }

  @Test("Streams are late and break, and what cannot strike them is told")
  func streamsAreLateAndBreakAndWhatCannotStrikeThemIsTold() throws {
    let (host, port) = (try Socket.listener(), try freePort())
    let network = folder["mine.yaml"]
    try "network: mine\ntitle: Mine\nsource: this test\nloss: 20%\ndelay: 50ms\n"
      .write(toFile: network, atomically: true, encoding: .utf8)
    let program = try Program.start([
      "relay", "tcp:\(port)=127.0.0.1:\(host.port)", "--network", network, "--up", "--seed", "3",
    ])
    try program.wait(for: "relaying tcp")
    #expect(
      program.errors.contains("over TCP every byte arrives, as it was and in its order: --loss 20% does nothing there"))
    let begin = ContinuousClock.now
    let phone = try Socket.connected(to: port)
    let server = try host.accepted()
    try phone.send([1, 2, 3])
    #expect(try server.receive(3) == [1, 2, 3])
    #expect(ContinuousClock.now - begin >= .milliseconds(50))
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 0, "\(end.errors)")
    #expect(
      end.output
        == """
        relay     tcp 127.0.0.1:\(port) to 127.0.0.1:\(host.port): 1 client, 1 pieces passed on
        up        delay 50ms: mean 50ms

        """)
  }

  @Test("A half open connection takes what comes, and hands on nothing of it")
  func aHalfOpenConnectionTakesWhatComesAndHandsOnNothingOfIt() throws {
    let (host, port) = (try Socket.listener(), try freePort())
    let program = try Program.start([
      "relay", "tcp:\(port)=127.0.0.1:\(host.port)", "--half-open", "0s", "--up", "--format", "json",
    ])
    try program.wait(for: "relaying tcp")
    let phone = try Socket.connected(to: port)
    let server = try host.accepted()
    try server.send([6])
    #expect(try phone.receive(1) == [6])
    try phone.send([4, 5])
    phone.finish()
    server.finish()
    #expect(phone.receiveEnd() == nil)
    // The relay has heard of both ends, and so of all that came before them.
    #expect(server.receiveEnd() == nil)
    program.signal(SIGINT)
    let end = try program.finish()
    #expect(end.status == 0, "\(end.errors)")
    let relay = try #require((try end.json().last?["relays"] as? [[String: Any]])?.first)
    let counts = ["payloads", "bytes", "resets", "half_open", "swallowed_bytes"].map { relay[$0] as? Int }
    #expect(counts == [1, 1, 0, 1, 2])
  }

  @Test("Without a network everything passes, until its time is over")
  func withoutANetworkEverythingPassesUntilItsTimeIsOver() throws {
    let (host, port) = (try Socket.udp(), try freePort())
    let program = try Program.start([
      "relay", "udp:\(port)=127.0.0.1:\(host.port)", "--duration", "300ms", "--format", "json",
    ])
    try program.wait(for: "relaying udp")
    try Socket.udp().send([7], to: port)
    #expect(try host.receive().bytes == [7])
    let end = try program.finish()
    #expect(end.status == 0)
    #expect(
      end.output
        == "{\"relays\":[{\"carrier\":\"udp\",\"listen\":\"127.0.0.1:\(port)\",\"target\":\"127.0.0.1:\(host.port)\",\"clients\":1,"
        + "\"payloads\":1,\"bytes\":1,\"refused\":0,\"forgotten\":0,\"not_passed_on\":0,\"dropped_kernel\":0,\"up\":[],\"down\":[]}]}\n"
    )
  }

  @Test(
    "What has no effect is refused",
    arguments: [
      (["--up"], "--up requires an impairment: give one, or leave it out"),
      (["--loss", "5%", "--up", "--down"], "--up and --down are both ways: leave them out"),
      (["--force"], "--force requires --record FILE"),
      (
        ["--set", "x=1", "--set", "y=2", "--set", "z=3", "--set", "qx=1"],
        "--set: \"qx=1\" is a field too many; expected at most 3 fields"
      ),
      (["--set", "intensty=1"], #"no message here has a field "intensty"; did you mean "intensity"?"#),
      (["--set", "intensity=2", "--up"], "HAPTIC has this field, which goes the other way"),
      (["--set", "intensity=2@0"], "sets nothing"), (["--set", "x=2", "--set", "x=3"], "sets x twice"),
      (["--seed", "3"], "--seed requires an impairment: give one, or leave it out"),
      (
        ["--write-plan-up", "a.plan"],
        "--write-plan-up requires --record FILE: a replay of the plan needs that recording"
      ),
      (["--reset", "5s"], "--reset requires a tcp relay"),
      (["--half-open", "5s"], "--half-open requires a tcp relay"),
      (["--pass-beacons"], "--pass-beacons requires a tcp relay"),
    ])
  func whatHasNoEffectIsRefused(_ options: [String], _ words: String) throws {
    let end = try Program.run(["relay", "udp:\(try freePort())=127.0.0.1:9"] + options)
    #expect(end.status == 64 && end.errors.contains(words), "\(end.errors)")
    let stream = try Program.run(["relay", "tcp:\(try freePort())=127.0.0.1:9", "--loss", "5%"])
    #expect(stream.status == 64 && stream.errors.contains("--loss applies to datagrams: it requires a udp relay"))
  }
}
