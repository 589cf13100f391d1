import Foundation
import TelecapTestSupport
import Testing

/// `--advertise`: phones that only know how to search find a relay and a simulated host.
@Suite(.real("runs telecap")) struct AdvertiseTests {
  @Test(
    "What cannot be advertised is refused",
    arguments: [
      ("simulate host --advertise my.robot", "'my.robot' is not 1 to 20 of A–Z a–z 0–9 _ -"),
      ("simulate host --advertise abcdefghijklmnopqrstu", "is not 1 to 20 of A–Z a–z 0–9 _ -"),
      ("info", "Missing expected argument '<input>'"), ("discover a.telecap", "Unexpected argument 'a.telecap'"),
      ("discover --duration 5s --tele-udp 5", "--tele-udp has no effect: telecap discover listens for beacons"),
      ("discover --gatt 0x10=1C8FD138-FC18-4846-954D-E509366AEF62", "Unknown option '--gatt'"),
      (
        "simulate phone --search 5s --to 127.0.0.1",
        "--search cannot be combined with --to, which names the host"
      ),
      ("simulate phone --search 5s --tele-udp 9", "--tele-udp has no effect: the host that is found has its own port"),
      ("simulate phone --tele-beacon 9", "--tele-beacon has no effect: the phone sends to --tele-udp"),
      ("simulate host --tele-beacon 9", "--tele-beacon has no effect: the host listens to --tele-udp"),
      (
        "simulate host --advertise robot --tele-beacon 9", "--tele-beacon has no effect: the host listens to --tele-udp"
      ),
      (
        "relay tcp:5000=127.0.0.1:9 udp:50001=127.0.0.1:9 --advertise robot",
        "--advertise sends beacons to a port on which a relay listens: give the relay another port"
      ),
    ])
  func whatCannotBeAdvertisedIsRefused(_ line: String, _ words: String) throws {
    let end = try Program.run(line)
    #expect(end.status == 64 && end.errors.contains(words), "\(end.errors)")
  }

  #if os(Linux)
    @Test("Beacons of what listens on loopback stay there, with its port")
    func beaconsOfWhatListensOnLoopbackStayThereWithItsPort() throws {
      let (host, beacons) = (try freePort(), try freePort())
      let program = try Program.start(
        "simulate host --code ABC123 --transport tcp --tele-tcp \(host) --advertise robot --tele-beacon \(beacons)"
          .split(separator: " ").map(String.init))
      let phone = try Running(
        "/usr/bin/env", ["python3", Self.search, "--by", "beacon", "--name", "robot", "--beacon-port", "\(beacons)"]
      ).finish()
      #expect(phone.lines.first == #"{"found": "robot", "address": "127.0.0.1", "port": \#(host)}"#, "\(phone)")
      #expect(phone.lines.last == #"{"haptic": 12}"#)
      program.signal(SIGINT)
      let end = try program.finish()
      #expect(end.status == 0)
      #expect(end.errors.hasPrefix("TCP 127.0.0.1:\(host)\n"), "\(end.errors)")
      #expect(
        end.errors.contains(
          "advertising robot, tcp port \(host), by beacons to 127.255.255.255:\(beacons): this machine only\n"))
    }

    @Test("A simulated phone finds a host by its beacons, and where nobody is heard that is told")
    func aSimulatedPhoneFindsAHostByItsBeaconsAndWhereNobodyIsHeardThatIsTold() throws {
      let (host, beacons) = (try freePort(), try freePort())
      let phone = ["simulate", "phone", "--code", "ABC123", "--tele-beacon", "\(beacons)", "--duration", "1s"]
      let nobody = try Program.run(phone + ["--search", "100ms"])
      #expect(nobody.status == 69 && nobody.errors.contains("no host advertised itself"), "\(nobody)")
      let program = try Program.start(
        "simulate host --code ABC123 --transport tcp --tele-tcp \(host) --advertise robot --tele-beacon \(beacons)"
          .split(separator: " ").map(String.init))
      let found = try Program.run(phone + ["--search", "30s"])
      #expect(found.errors.contains("found robot  tcp 127.0.0.1:\(host)  by beacon, version 1\n"), "\(found)")
      #expect(found.status == 0 && found.output.contains("session-opened"), "\(found)")
      program.signal(SIGINT)
      _ = try program.finish()
    }

    @Test("What listens on loopback is not told to others by mDNS")
    func whatListensOnLoopbackIsNotToldToOthersByMDNS() throws {
      let port = try freePort()
      let program = try Program.start(["relay", "udp:\(port)=127.0.0.1:9", "--advertise", "robot"])
      try program.wait(
        for:
          "robot is not advertised by mDNS: 127.0.0.1:\(port) is reached from this machine only, and mDNS announces it to others: "
          + "listen on another address\n")
      program.signal(SIGINT)
      #expect(try program.finish().status == 0)
    }

    @Test("Who sends beacons is listed once, and what is none is counted")
    func whoSendsBeaconsIsListedOnceAndWhatIsNoneIsCounted() throws {
      let (host, beacons) = (try freePort(), try freePort())
      let listing = try Program.start(["discover", "--duration", "60s", "--tele-beacon", "\(beacons)"])
      let sender = try Socket.udp()
      let program = try Program.start(
        "simulate host --transport tcp --tele-tcp \(host) --advertise robot --tele-beacon \(beacons)"
          .split(separator: " ").map(String.init))
      let line = "robot  tcp 127.0.0.1:\(host)  by beacon, version 1\n"
      try listing.wait("for the host") { listing.output == line }
      // It listens by now.
      try sender.send([1, 2, 3], to: beacons)
      try Self.hear(second: beacons)
      listing.signal(SIGINT)
      let end = try listing.finish()
      #expect(end.status == 0 && end.output == line, "\(end)")
      #expect(end.errors.contains("at udp port \(beacons) came 1 that is no beacon\n"), "\(end.errors)")
      program.signal(SIGINT)
      _ = try program.finish()
    }

    /// Returns when a beacon was heard by another who listens.
    private static func hear(second port: UInt16) throws {
      let listing = try Program.start(["discover", "--duration", "60s", "--tele-beacon", "\(port)", "--format", "json"])
      try listing.wait("for a beacon") { !listing.output.isEmpty }
      listing.signal(SIGINT)
      let end = try listing.finish()
      #expect(end.status == 0)
      let found = try #require(try end.json().first)
      #expect(found["name"] as? String == "robot" && found["carrier"] as? String == "tcp")
      #expect(found["by"] as? String == "beacon" && found["version"] as? Int == 1)
    }

    @Test("Where nobody is heard that is told, with what to look at")
    func whereNobodyIsHeardThatIsToldWithWhatToLookAt() throws {
      let port = try freePort()
      let end = try Program.run(["discover", "--duration", "50ms", "--tele-beacon", "\(port)"])
      #expect(end.status == 69 && end.output.isEmpty)
      #expect(
        end.errors.hasSuffix(
          "telecap: no host advertised itself\n  beacons arrive at udp port \(port), mDNS at 5353: check that no firewall blocks them\n"
        ))
    }

    @Test("Who is announced by mDNS is listed", .enabled(if: canBeAlone && hasAvahi))
    func whoIsAnnouncedByMDNSIsListed() throws {
      let here = "\"$telecap\" relay udp:192.0.2.1:50010=127.0.0.1:9 --advertise robot"
      // Only the address that the relay listens on: the machine has one of IPv6 besides.
      let there = """
        "$telecap" discover --duration 60s --format json >found & looking=$!
        until grep '"192.0.2.1:50010"' found; do sleep 0.05; done
        kill -INT $looking; wait $looking; grep -v '"192.0.2.1:50010"' found; true
        """
      let folder = try Folder()
      let end = try Running(
        Self.script, ["--avahi", here, "cd '\(folder[""])'; \(there)"], environment: ["telecap": Program.path]
      ).finish()
      #expect(end.status == 0, "\(end.errors)")
      #expect(
        end.output
          == #"{"name":"robot","carrier":"udp","place":"192.0.2.1:50010","by":"mdns","version":1}"# + "\n")
    }

    private static let search = Project.file("Tests/Independent/tele_search.py").path
    private static let script = Project.file("Tests/Discovery/two-machines").path
    private static let canBeAlone = (try? Running(script, ["true", "true"]).finish())?.status == 0
    private static let hasAvahi =
      (try? Program.shell("command -v avahi-daemon && command -v avahi-publish && command -v dbus-daemon"))?.status == 0

    /// Two machines on one wire: a simulated host behind a relay on the one, a phone that searches on the other.
    private func search(
      _ carrier: String, by way: String, _ options: [String] = [], phone: String? = nil, host: String = "",
      relay: String = "--advertise robot"
    ) throws -> Finished {
      let here = """
        "$telecap" simulate host --transport \(carrier) --code ABC123 \(host) >&2 &
        "$telecap" relay \(carrier):192.0.2.1:50010=127.0.0.1:50000 \(relay)
        """
      let there = phone ?? "python3 \"$search\" --by \(way) --name robot --own 192.0.2.2"
      return try Running(
        Self.script, options + [here, there],
        environment: ["telecap": Program.path, "search": Self.search]
      ).finish()
    }

    @Test("A phone finds a relay by its beacons, and speaks to the host behind it", .enabled(if: canBeAlone))
    func aPhoneFindsARelayByItsBeaconsAndSpeaksToTheHostBehindIt()
      throws
    {
      let end = try search("tcp", by: "beacon")
      #expect(end.status == 0, "\(end.errors)")
      #expect(
        end.output == """
          {"found": "robot", "address": "192.0.2.1", "port": 50010}
          {"ack": 0, "size": 12}
          {"haptic": 12}

          """)
      #expect(end.errors.contains("advertising robot, tcp port 50010, by beacons to 192.0.2.255:50001\n"))
    }

    @Test("A relay that passes a host's beacons on is found by their name", .enabled(if: canBeAlone))
    func aRelayThatPassesAHostsBeaconsOnIsFoundByTheirName() throws {
      let end = try search("tcp", by: "beacon", host: "--advertise robot", relay: "--pass-beacons")
      #expect(end.status == 0, "\(end.errors)")
      #expect(
        end.output == """
          {"found": "robot", "address": "192.0.2.1", "port": 50010}
          {"ack": 0, "size": 12}
          {"haptic": 12}

          """)
      let words = "passing on the beacons of robot (127.0.0.1:50000) to 192.0.2.255:50001, tcp port 50010\n"
      #expect(end.errors.contains(words), "\(end.errors)")
    }

    @Test("A phone finds a relay by mDNS, through Avahi", .enabled(if: canBeAlone && hasAvahi))
    func aPhoneFindsARelayByMDNSThroughAvahi() throws {
      let end = try search("udp", by: "mdns", ["--avahi"])
      #expect(end.status == 0, "\(end.errors)")
      #expect(
        end.output == """
          {"found": "robot", "address": "192.0.2.1", "port": 50010}
          {"ack": 0, "size": 8}
          {"haptic": 12}

          """)
      #expect(
        end.errors.contains(
          "advertising robot, udp port 50010, by mDNS as _televoodoo._udp (Established under name 'robot')\n"))
    }

    @Test(
      "A simulated phone that only knows how to search finds a relay on another machine", .enabled(if: canBeAlone),
      arguments: hasAvahi ? ["tcp", "udp"] : ["tcp"])
    func aSimulatedPhoneThatOnlyKnowsHowToSearchFindsARelayOnAnotherMachine(_ carrier: String) throws {
      let (way, options) = carrier == "tcp" ? ("beacon", []) : ("mDNS", ["--avahi"])
      let phone = "\"$telecap\" simulate phone --code ABC123 --search 60s --transport \(carrier) --duration 2s"
      let end = try search(carrier, by: way, options, phone: phone)
      #expect(end.status == 0, "\(end.errors)")
      #expect(end.errors.contains("found robot  \(carrier) 192.0.2.1:50010  by \(way), version 1\n"), "\(end.errors)")
      #expect(end.output.contains("session-opened"), "\(end.output)")
    }

    @Test(
      "Where nobody speaks mDNS that is told, and beacons go on", .enabled(if: canBeAlone),
      arguments: hasAvahi ? [true, false] : [true])
    func whereNobodySpeaksMDNSThatIsToldAndBeaconsGoOn(hasNoProgram: Bool) throws {
      let folder = try Folder()
      let relay = """
        \(hasNoProgram ? "PATH=/nowhere " : "")"$telecap" relay tcp:192.0.2.2:50010=127.0.0.1:9 \
        udp:192.0.2.2:50010=127.0.0.1:9 --advertise robot 2>"$said" & relay=$!
        until grep -q 'by mDNS: ' "$said" && grep -q 'by beacons' "$said"; do sleep 0.05; done
        kill -INT $relay; wait $relay; status=$?; cat "$said" >&2; exit $status
        """
      let end = try Running(
        Self.script, ["true", relay], environment: ["telecap": Program.path, "said": folder["said"]]
      ).finish()
      #expect(end.status == 0)
      #expect(end.errors.contains("advertising robot, tcp port 50010, by beacons to 192.0.2.255:50001\n"))
      #expect(!end.errors.contains("cannot be sent"), "\(end.errors)")
      let words =
        hasNoProgram
        ? "avahi-publish cannot be started: install avahi-utils (Debian's name), and have avahi-daemon run\n"
        : "avahi-publish: it exited with status 1: Failed to create client object: Daemon not running\n"
      #expect(end.errors.contains("robot is not advertised by mDNS: " + words), "\(end.errors)")
    }
  #endif
}
