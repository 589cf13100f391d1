import Foundation
import TelecapTestSupport
import Testing

/// `telecap senses --capture` of sessions that end, are lost, or are several persons'.
@Suite("senses of sessions", .real("runs telecap"))
struct FollowedSensesTests {
  /// A capture of raw IPv4 with nanoseconds: phones at 10.0.0.1:40000, 10.0.0.2:40001 …, a host at 10.0.0.9:50000.
  private struct Talk {
    private var packets: [(time: Double, bytes: [UInt8])] = []

    mutating func up(_ time: Double, _ phone: Int, _ payload: [UInt8]) {
      packets.append((time, Talk.datagram(from: (phone + 1, 40_000 + phone), to: (9, 50_000), payload)))
    }

    mutating func down(_ time: Double, _ phone: Int, _ payload: [UInt8]) {
      packets.append((time, Talk.datagram(from: (9, 50_000), to: (phone + 1, 40_000 + phone), payload)))
    }

    /// Rules of a session of so many seconds from `start` on; the host is silent after `silence`.
    mutating func session(_ phone: Int, id: UInt8, from start: Double, lasting length: Int, silence: Int? = nil) {
      for second in 0..<length {
        up(start + Double(second), phone, Talk.message(1, [id, 0, 0, 0] + Array("ABC123".utf8) + [0, 0]))
        if second < silence ?? length { down(start + Double(second) + 0.001, phone, Talk.message(2, [0, 0])) }
      }
      for step in 0..<(20 * (silence ?? length)) {
        down(start + 0.02 + Double(step) / 20, phone, Talk.message(7, Talk.bytes(Float(0.8).bitPattern) + [0, 0]))
      }
      for step in 0..<(20 * length) {
        let pose = ([0, 0, 0, 0, 0, 0, 1] as [Float]).flatMap { Talk.bytes($0.bitPattern) }
        let head = Talk.bytes(UInt16(step)) + Talk.bytes(UInt64(step * 50_000)) + [0, 0]
        up(start + 0.01 + Double(step) / 20, phone, Talk.message(3, head + pose))
      }
    }

    mutating func bye(_ phone: Int, id: UInt8, at time: Double) { up(time, phone, Talk.message(4, [id, 0, 0, 0])) }

    var bytes: [UInt8] {
      var file = Talk.bytes(UInt32(0xa1b2_3c4d)) + Talk.bytes(UInt16(2)) + Talk.bytes(UInt16(4))
      file += [UInt8](repeating: 0, count: 8) + Talk.bytes(UInt32(65_535)) + Talk.bytes(UInt32(101))
      for packet in packets.sorted(by: { $0.time < $1.time }) {
        let whole = packet.time.rounded(.down)
        file += Talk.bytes(UInt32(1_700_000_000 + whole)) + Talk.bytes(UInt32((packet.time - whole) * 1e9))
        file += Talk.bytes(UInt32(packet.bytes.count)) + Talk.bytes(UInt32(packet.bytes.count)) + packet.bytes
      }
      return file
    }

    private static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { Array("TELE".utf8) + [type, 1] + body }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func big(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

    private static func datagram(
      from source: (Int, Int), to destination: (Int, Int), _ payload: [UInt8]
    ) -> [UInt8] {
      let udp = big(source.1) + big(destination.1) + big(8 + payload.count) + [0, 0] + payload
      let head: [UInt8] = [0x45, 0] + big(20 + udp.count) + [0, 0, 0, 0, 64, 17, 0, 0]
      return head + [10, 0, 0, UInt8(source.0), 10, 0, 0, UInt8(destination.0)] + udp
    }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func capture(_ make: (inout Talk) -> Void) throws -> String {
    var talk = Talk()
    make(&talk)
    return try folder.write(talk.bytes, to: "session.pcap")
  }

  @Test("A packet of a damaged time among the others is refused, and nobody follows it for a century")
  func aTimeThatIsFarAway() throws {
    var talk = Talk()
    talk.session(1, id: 7, from: 0, lasting: 3)
    var bytes = talk.bytes
    func length(_ place: Int) -> Int { Int(bytes[place + 8]) + Int(bytes[place + 9]) << 8 }
    var place = 24
    for _ in 0..<40 { place += 16 + length(place) }
    bytes.replaceSubrange(place..<place + 4, with: [0xff, 0xff, 0xff, 0xff])
    let far = try folder.write(bytes, to: "far.pcap")
    // That packet is the phone's.
    for command in [
      ["senses", "--capture", far], ["replay", far, "--role", "phone", "--to", "model:host"],
      ["replay", far, "--role", "phone", "--to", "simulate:host"], ["replay", far, "--role", "phone", "--dry-run"],
      ["plan", far, "--role", "phone", "-o", folder["far.plan"]],
    ] {
      let run = try Program.run(command)
      #expect(run.status == 65, "\(command): \(run.output)")
      #expect(run.errors.contains("packet 41 is due 2,594,967,29"), "\(command): \(run.errors)")
      #expect(run.errors.contains("a run does not stand still for more than 30 days"))
    }
    #expect(try Program.run(["replay", far, "--role", "phone", "--max-gap", "1s", "--to", "model:host"]).status == 0)
  }

  private func senses(_ capture: String, _ more: [String] = []) throws -> Finished {
    try Program.run(["senses", "--capture", capture] + more)
  }

  private func felt(_ end: Finished) throws -> [(time: Double, intensity: Double)] {
    try end.json().filter { $0["sense"] as? String == "felt" }.map {
      (Double($0["time_ns"] as? Int ?? 0) / 1e9, $0["intensity"] as? Double ?? -1)
    }
  }

  @Test("A lost session stops the motor 3 s after the last ACK, in lines and in the pattern")
  func aLostSessionStopsTheMotor3SAfterTheLastACKInLinesAndInThePattern() throws {
    let file = try capture { $0.session(0, id: 7, from: 0, lasting: 8, silence: 1) }
    let end = try senses(file, ["--ahap", folder["felt"]])
    let last = try #require(try felt(end).last)
    #expect(last.intensity == 0 && abs(last.time - 3.001) < 0.002, "\(last)")
    let stop = try #require(try end.json().last { $0["sense"] as? String == "felt" })
    #expect(stop["why"] as? String == "the host had been silent for 3 s: the session was lost")
    let rendered = try Program.run(["ahap", "render", "\(folder["felt"])/felt.ahap", "--csv", "--rate-hz", "10"])
    #expect(rendered.output.contains("2.500000,0.7"), "held, not faded")
  }

  @Test("Its own BYE stops a phone, and what comes later is not felt")
  func itsOwnBYEStopsAPhoneAndWhatComesLaterIsNotFelt() throws {
    let file = try capture {
      $0.session(0, id: 7, from: 0, lasting: 3)
      $0.bye(0, id: 7, at: 2.01)
    }
    let last = try #require(try felt(senses(file)).last)
    #expect(last.intensity == 0 && abs(last.time - 2.01) < 0.001, "\(last)")
  }

  @Test("A BYE of another session stops nothing")
  func aBYEOfAnotherSessionStopsNothing() throws {
    let file = try capture {
      $0.session(0, id: 7, from: 0, lasting: 3)
      $0.bye(0, id: 9, at: 2.01)
    }
    let all = try felt(senses(file))
    #expect(all.contains { $0.intensity > 0 })
    #expect(!all.contains { $0.intensity == 0 && abs($0.time - 2.01) < 0.001 }, "\(all)")
  }

  @Test("Two phones are two persons, and one is chosen")
  func twoPhonesAreTwoPersonsAndOneIsChosen() throws {
    let file = try capture {
      $0.session(0, id: 7, from: 0, lasting: 2)
      $0.session(1, id: 8, from: 3, lasting: 2)
    }
    let both = try senses(file)
    #expect(both.status == 65 && both.errors.contains("2 phones take part"), "\(both.errors)")
    #expect(both.errors.contains("--phone 10.0.0.1:40000"))
    for phone in ["10.0.0.2", "10.0.0.2:40001"] {
      let one = try senses(file, ["--phone", phone])
      #expect(one.status == 0 && one.errors.contains("left out: 10.0.0.1:40000"), "\(one.errors)")
      let strengths = try felt(one)
      #expect(!strengths.isEmpty && strengths.allSatisfy { $0.time > 3 })
      #expect(Set(try one.json().compactMap { $0["session_id"] as? Int }) == [8])
    }
    let none = try senses(file, ["--phone", "10.0.0.5"])
    #expect(none.status == 65 && none.errors.contains("no phone is at 10.0.0.5"))
  }

  @Test("What opens and closes a session is as late as what is said in it")
  func whatOpensAndClosesASessionIsAsLateAsWhatIsSaidInIt() throws {
    let file = try capture {
      $0.session(0, id: 7, from: 0, lasting: 4)
      $0.bye(0, id: 7, at: 3.99)
    }
    let (prompt, late) = (try senses(file), try senses(file, ["--delay", "500ms"]))
    func poses(_ end: Finished) throws -> Int { try end.json().filter { $0["sense"] as? String == "heard" }.count }
    #expect(try poses(prompt) == poses(late), "a POSE comes before the BYE that was sent behind it")
    let first = try (felt(prompt).first, felt(late).first)
    #expect(abs((first.1?.time ?? 0) - (first.0?.time ?? 0) - 0.5) < 0.001)
  }

  @Test("Nothing felt is a result")
  func nothingFeltIsAResult() throws {
    let file = Project.file("Captures/teleoperation.pcapng").path
    let end = try senses(file, ["--loss", "100%", "--seed", "1", "--ahap", folder["none"]])
    #expect(end.status == 0 && end.output.isEmpty && end.errors.contains("nothing was felt"), "\(end.errors)")
    let none = try senses(Project.file("Captures/wrong-code.pcapng").path)
    #expect(none.status == 65 && !none.errors.contains(";   "))
  }

  @Test("A robot of two channels is a bed")
  func aRobotOfTwoChannelsIsABed() throws {
    let stereo: [UInt8] =
      Array("RIFF".utf8) + [44, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 2, 0]
      + [0x80, 0xbb, 0, 0, 0, 0, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [8, 0, 0, 0] + [0, 64, 0, 64, 0, 64, 0, 64]
    let sound = try folder.write(stereo, to: "stereo.wav")
    let file = Project.file("Captures/teleoperation.pcapng").path
    let end = try senses(file, ["--sound", sound, "--wav", folder["heard.wav"]])
    #expect(end.status == 0 && end.errors.contains("two channels: it is a bed"), "\(end.errors)")
    let heard = try end.json().filter { $0["sense"] as? String == "heard" }
    #expect(!heard.isEmpty && heard.allSatisfy { $0["does"] as? String == "unplaced" })
    #expect(heard.allSatisfy { line in !line.keys.contains { $0.hasPrefix("azimuth") } })
  }

  @Test("Senses too far apart fail, and a short lead is said")
  func sensesTooFarApartFailAndAShortLeadIsSaid() throws {
    let script =
      "title: late\nlead: 10ms\ntrials: 100\ndevice: {audio: 200ms}\n"
      + "events:\n  - {at: 0s, explosion: {position: [1, 0, 0]}}\n"
    let end = try Program.run(["senses", try folder.write(Array(script.utf8), to: "late.yaml")])
    #expect(end.status == 1 && end.errors.contains("100 of 100 trials of event 1"), "\(end.errors)")
    #expect(end.errors.contains("the lead of 10ms is shorter than the latency of audio, 200ms"))
  }

  @Test("A rate of HAPTIC is pointed to where a link's is not meant")
  func aRateOfHAPTICIsPointedToWhereALinksIsNotMeant() throws {
    let pattern = Project.file("Captures/haptics/explosion.ahap").path
    let end = try Program.run(["ahap", "play", pattern, "--to", "model:phone", "--rate", "40"])
    #expect(end.status == 64 && end.errors.contains("--rate-hz 40"), "\(end.errors)")
  }
}
