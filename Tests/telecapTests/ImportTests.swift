import Foundation
import TelecapRecording
import TelecapTestSupport
import Testing

@Suite("import", .smoke)
struct ImportTests {
  let folder: Folder
  let traffic: Traffic
  var capture: String { folder["out.telecap"] }

  init() throws {
    folder = try Folder()
    traffic = try Traffic.session()
  }

  static let packets = "SELECT id, time_ns, original_length, hex(frame) FROM packet ORDER BY id"
  static let messages = "SELECT packet, type, session, severity, seq FROM dissection ORDER BY message"

  /// What the packets of the session are, its times cut to this many ns.
  private func expected(_ tick: Int64) -> [[String]] {
    traffic.packets.enumerated().map { index, packet in
      let digits = packet.frame.map { String(format: "%02X", $0) }.joined()
      return ["\(index + 1)", "\(packet.time / tick * tick)", "\(packet.frame.count)", digits]
    }
  }

  @Test("Pcap of either byte order and resolution", arguments: [true, false], [true, false])
  func pcapOfEitherByteOrderAndResolution(isBig: Bool, nanoseconds: Bool) throws {
    let input = try folder.write(traffic.pcap(isBig: isBig, nanoseconds: nanoseconds), to: "in.pcap")
    let end = try Program.run(["import", input, "-o", capture])
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors == "\(capture): 6 packets\n")
    #expect(try sql(capture, ImportTests.packets) == expected(nanoseconds ? 1 : 1_000))
    #expect(
      try sql(capture, ImportTests.messages) == [
        ["1", "HELLO", "NULL", "NULL", "NULL"], ["2", "ACK", "1", "NULL", "NULL"],
        ["3", "HAPTIC", "1", "NULL", "NULL"],
        ["4", "POSE", "1", "NULL", "7"], ["5", "POSE", "1", "note", "9"], ["6", "POSE", "1", "note", "8"],
      ])
    #expect(try sql(capture, "SELECT rule FROM finding") == [["seq.gap"], ["seq.reordered"]])
    #expect(folder.names == ["in.pcap", "out.telecap"])
  }

  @Test("Pcapng, and from standard input")
  func pcapngAndFromStandardInput() throws {
    try traffic.writePcapng(to: folder["in.pcapng"])
    let bytes = try Array(Data(contentsOf: URL(filePath: folder["in.pcapng"])))
    for (arguments, input) in [([folder["in.pcapng"]], []), (["-"], bytes)] {
      let end = try Program.run(["import", "-o", capture, "--force"] + arguments, input: input)
      #expect(end.status == 0, "\(end.errors)")
      #expect(try sql(capture, ImportTests.packets) == expected(1))
      #expect(try sql(capture, "SELECT name FROM interface") == [["eth0"]])
    }
  }

  @Test("A damaged file is read as far as it goes, says where it broke and exits 65")
  func aDamagedFileIsReadAsFarAsItGoesSaysWhereItBrokeAndExits65() throws {
    let whole = traffic.pcap()
    // In the middle of the fifth packet's frame; its record begins behind the header and four records.
    let offset = 24 + traffic.packets[..<4].reduce(0) { $0 + 16 + $1.frame.count }
    let input = try folder.write(Array(whole.prefix(offset + 40)), to: "in.pcap")
    let end = try Program.run(["import", input, "-o", capture])
    #expect(end.status == 65)
    #expect(end.errors.contains("the file ends inside the packet record at byte \(offset): needed 104 bytes, had 40"))
    #expect(try sql(capture, ImportTests.packets) == Array(expected(1).prefix(4)))
    #expect(try sql(capture, "SELECT damage LIKE '%at byte \(offset)%' FROM capture") == [["1"]])
    #expect(try sql(capture, "SELECT COUNT(*) FROM message") == [["4"]])
  }

  @Test("A record that contradicts itself is damage too")
  func aRecordThatContradictsItselfIsDamageToo() throws {
    var bytes = traffic.pcap()
    let second = 24 + 16 + traffic.packets[0].frame.count
    bytes.replaceSubrange(second + 8..<second + 12, with: [255, 255, 255, 127])
    let end = try Program.run(["import", folder.write(bytes, to: "in.pcap"), "-o", capture])
    #expect(end.status == 65)
    #expect(end.errors.contains("the packet record at byte \(second) is damaged"), "\(end.errors)")
    #expect(try sql(capture, "SELECT COUNT(*) FROM packet") == [["1"]])
  }

  @Test("What is no capture file, is missing or may not be made leaves nothing behind")
  func whatIsNoCaptureFileIsMissingOrMayNotBeMadeLeavesNothingBehind() throws {
    let text = try folder.write(Array("hello, this is no capture\n".utf8), to: "in.txt")
    let pcap = try folder.write(traffic.pcap(), to: "in.pcap")
    let cases: [(arguments: [String], status: Int32, words: String)] = [
      ([text, "-o", capture], 65, "in.txt: not a capture file: "),
      ([folder["none.pcap"], "-o", capture], 66, "none.pcap: cannot be opened: "),
      ([pcap, "-o", folder["none/out.telecap"]], 73, "none/out.telecap: cannot be created"),
      ([pcap], 64, "Missing expected argument '--output <file>'"),
    ]
    for (arguments, status, words) in cases {
      let end = try Program.run(["import"] + arguments)
      #expect(end.status == status, "\(arguments): \(end.errors)")
      #expect(end.errors.contains(words), "\(end.errors)")
      #expect(folder.names == ["in.pcap", "in.txt"])
    }
    let empty = try Program.run(["import", "-", "-o", capture])
    #expect(empty.status == 65, "\(empty.errors)")
  }

  @Test("An output that exists is replaced only with force")
  func anOutputThatExistsIsReplacedOnlyWithForce() throws {
    let input = try folder.write(traffic.pcap(), to: "in.pcap")
    #expect(try Program.run(["import", input, "-o", capture]).status == 0)
    let refused = try Program.run(["import", input, "-o", capture])
    #expect(refused.status == 73)
    #expect(refused.errors == "telecap: \(capture): exists already; --force replaces it\n")
    #expect(try Program.run(["import", input, "-o", capture, "--force"]).status == 0)
    #expect(try sql(capture, "SELECT COUNT(*) FROM packet") == [["6"]])
  }

  @Test("Other ports are taken for ours when they are named")
  func otherPortsAreTakenForOursWhenTheyAreNamed() throws {
    let input = try folder.write(traffic.pcap(), to: "in.pcap")
    #expect(try Program.run(["import", input, "-o", capture, "--tele-udp", "50500"]).status == 0)
    #expect(try sql(capture, "SELECT COUNT(*) FROM message") == [["0"]])
  }
}
