import Foundation
import TelecapCapture
import TelecapHaptics
import TelecapProtocols
import TelecapRecording
import TelecapWire

/// The inputs that fuzzers begin with: the project's own captures, scenarios and samples, cut as the targets take them.
enum Seeds {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// A file of the project.
  static func file(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: root.appending(path: path))) }

  static func text(_ path: String) throws -> String { String(decoding: try file(path), as: UTF8.self) }

  /// The files of folders of the project that end so, sorted.
  static func files(_ folders: [String], _ endings: [String]) throws -> [[UInt8]] {
    try paths(folders, endings).map { try file($0) }
  }

  /// The same, the first lines of each.
  static func files(_ folders: [String], _ endings: [String], lines most: Int) throws -> [[UInt8]] {
    try files(folders, endings).map { Array($0.split(separator: 10).prefix(most).joined(separator: [10])) }
  }

  private static func paths(_ folders: [String], _ endings: [String]) throws -> [String] {
    try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).sorted()
        .filter { path in endings.contains { path.hasSuffix($0) } }.map { "\(folder)/\($0)" }
    }
  }

  // MARK: - Messages

  /// A correct message of every kind, and one of each kind from the captures.
  static func payloads(of one: WireProtocol) throws -> [[UInt8]] {
    try one.messages.map { Message.right($0).bytes } + captured().filter { $0.owner === one }.map(\.bytes)
  }

  /// All of these in their frames, after the protocol version and the size of pieces.
  static func streams() throws -> [[UInt8]] {
    try Known.dialects.enumerated().map { index, dialect in
      var stream = [UInt8(index), 6]
      for payload in try payloads(of: dialect.owner) {
        stream += try Message(keeping: payload, as: dialect).framed(as: dialect)
      }
      return stream
    }
  }

  private struct Captured {
    var owner: WireProtocol
    var bytes: [UInt8]
  }

  /// One message of each kind of each capture.
  private static func captured() throws -> [Captured] {
    var sink = Samples()
    for path in try paths(["Captures"], [".pcapng"]) {
      var dissector = Dissector(ports: Ports(Known.protocols))
      var reader = try CaptureFileReader(path: root.appending(path: path).path)
      sink.seen = []
      try reader.forEach { try dissector.receive($0, $1, to: &sink) }
      try dissector.finish(to: &sink)
    }
    return sink.found
  }

  private struct Samples: DissectionSink {
    var seen: Set<MessageKind> = []
    var found: [Captured] = []

    mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) {
      guard seen.insert(message.kind).inserted else { return }
      found.append(Captured(owner: message.dialect.owner, bytes: bytes.array))
    }
    func packetFinding(_ finding: Finding, _ header: PacketHeader) {}
    func lateFinding(_ finding: Finding, _ datagram: Datagram) {}
  }

  // MARK: - Frames and files

  /// The link types that are known, and one that is not.
  static let linkTypes = [
    LinkType.null, LinkType.ethernet, LinkType.rawIP, LinkType.loop, LinkType.linuxCooked, LinkType.ipv4, LinkType.ipv6,
    LinkType.linuxCooked2, LinkType.dltRaw, LinkType.dltRawOpenBSD, 147,
    LinkType.bluetoothH4, LinkType.bluetoothH4WithDirection, LinkType.bluetoothMonitor, LinkType.bluetoothLowEnergy,
    LinkType.bluetoothLowEnergyWithRadio,
    LinkType.ppp, LinkType.pppHDLC, LinkType.pppEther, LinkType.ciscoHDLC, LinkType.pppDaemon,
    LinkType.pppWithDirection,
    LinkType.wlan, LinkType.radiotap, LinkType.mpls, LinkType.pktap, LinkType.user2,
  ]

  /// The first frames of each capture and those of encapsulations, as `FuzzTarget.frame` takes them.
  static func frames() throws -> [[UInt8]] {
    let found = try firstFrames(3).flatMap { $0 }
    return (found + EncapsulatedSeeds.frames).map { type, frame in little(type) + [0] + frame }
  }

  /// The first frames of each capture together, those of encapsulations, and fragments, as `FuzzTarget.dissection` takes them.
  static func conversations() throws -> [[UInt8]] {
    try (firstFrames(20) + [EncapsulatedSeeds.frames, EncapsulatedSeeds.fragments]).map { frames in
      frames.reduce(into: []) { bytes, one in
        bytes.append(UInt8(linkTypes.firstIndex(of: one.type) ?? 0))
        bytes += little(UInt16(clamping: one.frame.count))
        bytes += one.frame
      }
    }
  }

  private static func little(_ number: UInt16) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }

  /// Files of each kind: the beginnings of the captures, a pcap of each, a btsnoop file of Bluetooth's in each of its forms, and small
  /// ones of the other formats.
  static func captureFiles() throws -> [[UInt8]] {
    let files = try paths(["Captures"], [".pcapng"])
    let beginnings = try files.map { Array(try file($0).prefix(4_096)) }
    let frames = try firstFrames(8)
    let bluetooth = frames.first { $0.first.map { LinkType.isBluetooth($0.type) } ?? false } ?? []
    let logs = [1001, 1002, 2001].map { btsnoop(bluetooth.map(\.frame), form: $0) }
    return beginnings + (try frames.map(pcap)) + logs + FileSeeds.all
  }

  /// A btsnoop file of frames that begin with their direction, of this datalink: its flags say what was received, and in H1
  /// what is no data.
  private static func btsnoop(_ frames: [[UInt8]], form: UInt32) -> [UInt8] {
    func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * (3 - $0))) } }
    var file = Array("btsnoop\0".utf8) + big(1) + big(form)
    for frame in frames where frame.count > 5 {
      let packet = Array(frame.dropFirst(form == 1002 ? 4 : 5))
      let flags = form == 2001 ? 5 : UInt32(frame[3]) | (frame[4] == 2 ? 0 : 2)
      file += big(UInt32(packet.count)) + big(UInt32(packet.count)) + big(flags) + big(0)
      file += big(0x00dc_ddb3) + big(0x0f2f_8000) + packet
    }
    return file
  }

  private static func pcap(_ frames: [(type: UInt16, frame: [UInt8])]) throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory.appending(path: "telecap-\(UUID().uuidString).pcap").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let type = frames.first?.type ?? LinkType.ethernet
    var writer = try PcapWriter(path: path, linkType: type)
    for (index, (_, frame)) in frames.enumerated() {
      let time = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(index))
      try writer.write(
        PacketHeader(number: index + 1, time: time, originalLength: frame.count, linkType: type), frame.span.bytes)
    }
    try writer.finish()
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  private static func firstFrames(_ count: Int) throws -> [[(type: UInt16, frame: [UInt8])]] {
    try paths(["Captures"], [".pcapng"]).map { path in
      var reader = try CaptureFileReader(path: root.appending(path: path).path)
      var frames: [(type: UInt16, frame: [UInt8])] = []
      while frames.count < count, try reader.next({ frames.append(($0.linkType, $1.array)) }) {}
      return frames
    }
  }

  // MARK: - Texts

  /// The scenarios, each after the length of its path and its path.
  static func scenarios() throws -> [[UInt8]] {
    let folder = "Scenarios/"
    return try paths([String(folder.dropLast())], [".yaml"]).compactMap { path in
      let id = Array(path.dropFirst(folder.count).utf8)
      let isScenario = !path.hasPrefix("\(folder)systems/") && !path.hasPrefix("\(folder)protocols/")
      guard isScenario else { return nil }
      let bytes = try file(path)
      return [UInt8(id.count)] + id + bytes
    }
  }

  /// Segments in order, a hole that is acknowledged, and a repetition, of a connection that opens and ends.
  static let segments: [[UInt8]] = [
    [
      0, 0x10, 128, 128, 0, 0x82, 128, 129, 0, 0x80, 129, 129, 3, 1, 2, 3, 0x80, 134, 129, 2, 6, 7, 0x82, 129, 136, 0,
      0x80, 132, 129, 1, 4, 0x88, 136, 129, 0, 0x8a, 129, 137, 0,
    ]
  ]

  static let plans = [
    """
    {"format":"telecap-plan","version":1,"seed":7,"capture":"cbf29ce484222325","where":"type = 'POSE'",\
    "impairments":"--loss 5% --delay 20ms","speed":"1x"}
    {"packet":12,"verdict":"drop","by":"loss"}
    {"packet":13,"verdict":"deliver","due":[216666667]}
    {"packet":14,"verdict":"deliver","by":"reorder","due":[0,9223372036854775807],"flip":[97]}

    """
  ].map { Array($0.utf8) }

  /// Sounds of one channel and of two.
  static let sounds: [[UInt8]] = [1, 2].map { channels in
    let samples: [Float] = [0, 0.5, -0.5, 1, -1, 0.25, 0, 0]
    var bytes = WAV.header(frames: samples.count / channels, channels: channels)
    WAV.append(samples, to: &bytes)
    return bytes
  }

  static let evemu = [
    "# EVEMU 1.3\nN: Mouse\nE: 10.000000 0002 0000 3\nE: 10.000001 0002 0001 -2 # REL_Y\nE: 10.000002 0000 0000 0\n"
      + "E: 10.500000 0001 0110 1\nE: 10.500001 0000 0000 0\n"
  ].map { Array($0.utf8) }

  static let libinput = [
    "version: 1\ndevices:\n- node: /dev/input/event5\n  events:\n  - evdev:\n"
      + "    - [  0,      0,   2,   0,       3] # EV_REL / REL_X\n    - [  0,      0,   0,   0,       0] # SYN_REPORT\n"
      + "  - evdev:\n    - [  1, 250000,   1, 272,       1]\n    - [  1, 250000,   0,   0,       0]\n"
  ].map { Array($0.utf8) }

  static let forces = ["force\n0\n12.5\n50\n", "seconds,force\n0,0\n0.05,25\n1.5,50\n"].map { Array($0.utf8) }

  static let printed = [
    "{\"robot\": {\"moved\": true, \"to\": [0, 1.5, -2, 0, 0, 0, 1]}}\n{\"button\": \"record\", \"down\": true}\n"
  ].map { Array($0.utf8) }
}
