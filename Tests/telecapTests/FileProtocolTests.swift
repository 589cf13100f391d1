import Foundation
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

/// What is found and exported of a protocol in a file whose sides, streams and floats differ from TELE's.
@Suite(.real("runs telecap")) struct FileProtocolTests {
  private static let duo = """
    protocol: duo
    source: the duo paper
    carriers:
      - {name: udp, over: udp, port: 40100}
      - {name: tcp, over: tcp, port: 40200}
    header:
      - {name: magic, type: text 4, is: identity}
      - {name: version, type: u8, is: constant}
      - {name: kind, type: u8, is: type}
      - {name: part, type: u8}
    messages:
      - name: POSE
        type: 1
        from: client
        with: {magic: AAAA, version: 1, part: 7}
        fields: [{name: n, type: u16}, {name: who, type: u32}, {name: y, type: f32}]
      - name: STATE
        type: 2
        from: host
        with: {magic: BBBB, version: 2}
        fields: [{name: n, type: u16}, {name: y, type: f64}]
      - {name: HI, type: 5, from: client, with: {magic: AAAA, version: 1}, fields: [{name: id, type: u64}]}
      - {name: YO, type: 6, from: host, with: {magic: BBBB, version: 2}}
    session: {asked-by: HI, answered-by: [YO], id: id, timeout: 10s}
    streams:
      - {name: state, message: STATE, order: n, values: [y]}
      - {name: pose, message: POSE, order: n, key: [part, who], values: [y]}
    """

  private static let up = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_100))
  private static let hi = [UInt8]("AAAA\u{1}\u{5}\0".utf8) + little(0x8000_0001_0000_0005 as UInt64)
  private static let yo = [UInt8]("BBBB\u{2}\u{6}\0".utf8)

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static func pose(_ n: UInt16, of who: UInt32 = 0, _ y: Float = 0) -> [UInt8] {
    [UInt8]("AAAA\u{1}\u{1}\u{7}".utf8) + little(n) + little(who) + little(y.bitPattern)
  }

  private static func state(_ n: UInt16, _ y: Double) -> [UInt8] {
    [UInt8]("BBBB\u{2}\u{2}\0".utf8) + little(n) + little(y.bitPattern)
  }

  /// The program's end in a folder that holds the protocol and these packets.
  private static func run(_ line: String, _ traffic: Traffic) throws -> Finished {
    let folder = try Folder()
    try duo.write(toFile: folder["duo.yaml"], atomically: true, encoding: .utf8)
    try traffic.pcap().write(to: folder["a.pcap"])
    return try Program.shell("cd '\(folder.path)' && $telecap \(line.replacing("FILE", with: "--protocol ./duo.yaml"))")
  }

  @Test("A float64 is exported whole beside a float32 of its name")
  func aFloat64IsExportedWholeBesideAFloat32OfItsName() throws {
    var traffic = Traffic()
    try traffic.add(Self.pose(1, 0.1), at: 0, Self.up)
    for (place, y) in [0.123456789012345, 1e300, 0.1, Double(Float(0.1))].enumerated() {
      try traffic.add(Self.state(UInt16(place), y), at: 1 + place, Self.up.reversed)
    }
    let csv = try Self.run("export a.pcap FILE --columns y,type", traffic)
    #expect(
      csv.lines == [
        "y,type", "0.1,POSE", "0.123456789012345,STATE", "1e+300,STATE", "0.1,STATE", "0.10000000149011612,STATE",
      ])
    let json = try Self.run("export a.pcap FILE --format jsonl --columns type,y --where 'y < 1'", traffic)
    #expect(
      json.lines == [
        #"{"type":"POSE","y":0.1}"#, #"{"type":"STATE","y":0.123456789012345}"#, #"{"type":"STATE","y":0.1}"#,
        #"{"type":"STATE","y":0.10000000149011612}"#,
      ])
  }

  @Test("A message that bears another's identity is an error")
  func aMessageThatBearsAnothersIdentityIsAnError() throws {
    var traffic = Traffic()
    try traffic.add([UInt8]("BBBB\u{1}".utf8) + Self.pose(1).dropFirst(5), at: 0, Self.up)
    try traffic.add([UInt8]("AAAA\u{2}".utf8) + Self.pose(1).dropFirst(5), at: 1, Self.up)
    try traffic.add([UInt8]("AAAA\u{3}".utf8) + Self.pose(1).dropFirst(5), at: 2, Self.up)
    let found = try Self.run("dissect a.pcap FILE", traffic).lines.filter { $0.contains("error") }
    #expect(
      found == [
        #"  error header.magic at bytes 0–3: magic is "BBBB" (42 42 42 42); in POSE it must be "AAAA" [duo, header; requirement duo.header.magic]"#,
        "  error header.version at byte 4: version is 2; in POSE it must be 1 [duo, header; requirement duo.header.version]",
        "  error header.version at byte 4: version is 3, which no message has [duo, header; requirement duo.header.version]",
      ])
  }

  @Test("Silence is told with the protocol's own sides and time")
  func silenceIsToldWithTheProtocolsOwnSidesAndTime() throws {
    var traffic = Traffic()
    try traffic.add(Self.hi, at: 0, Self.up)
    try traffic.add(Self.yo, at: 100, Self.up.reversed)
    try traffic.add(Self.hi, at: 19_000, Self.up)
    let end = try Self.run("dissect a.pcap FILE", traffic)
    #expect(
      end.lines.last
        == "  note session.silence at bytes 0–14: 18.9 s of silence from the client; "
        + "after 10 s each side considers the session lost [the duo paper]")
  }

  @Test("A bad length is told with the protocol's own")
  func aBadLengthIsToldWithTheProtocolsOwn() throws {
    let flow = Flow(.tcp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_200))
    let end = try Self.run("dissect a.pcap FILE", try Traffic.stream([2, 0, 97, 98], flow))
    #expect(end.lines.last == "  error frame.length: frame length 2; a message has 7 bytes or more [the duo paper]")
    let cut = try Self.run("dissect a.pcap FILE", try Traffic.stream([9, 0, 97, 98], flow))
    #expect(
      cut.lines.last
        == "  note stream.end: the stream ends inside a message: needed 11 bytes, had 4 [the duo paper]")
  }

  private static let plain = """
    protocol: plain
    carriers: [{name: tcp, over: tcp, port: 40300, framing: none}, {name: udp, over: udp, port: 40300}]
    header: [{name: magic, type: text 2, equals: PL, is: identity}, {name: kind, type: u8, is: type}]
    parts: {label: [{name: size, type: u8}, {name: text, type: text in size}]}
    messages:
      - {name: LABELS, type: 3, from: client, fields: [{name: n, type: u8}, {name: labels, repeat: label, times: n}]}
      - {name: LEVEL, type: 1, from: client, fields: [{name: n, type: u16}, {name: level, type: f32, range: [0, 1]}]}
      - name: NAME
        type: 2
        from: client
        fields: [{name: size, type: u8}, {name: name, type: text in size}]
    session: {opens: with-any-message}
    streams: [{name: level, message: LEVEL, order: n, values: [level]}]
    """

  @Test("A stream without frames is cut by its messages' own sizes: in a capture, in Wireshark and by who receives it")
  func aStreamWithoutFrames() throws {
    func level(_ n: UInt16) -> [UInt8] { [UInt8]("PL\u{1}".utf8) + Self.little(n) + Self.little(Float(0.5).bitPattern) }
    let name = [UInt8]("PL\u{2}\u{3}Ann".utf8)
    let labels = [UInt8]("PL\u{3}\u{2}\u{1}a\u{3}bcd".utf8)
    // Two messages in one segment, and three messages that segments cut, the first one within its second entry.
    let all = level(1) + name + labels + level(2) + name + level(3)
    let first = level(1).count + name.count
    let cuts = [0, first, first + 5, first + 8, first + 10, 30, 39, 40, all.count]
    let segments = zip(cuts, cuts.dropFirst()).map { Array(all[$0..<$1]) }
    let flow = Flow(.tcp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_300))
    let folder = try Folder()
    try Self.plain.write(toFile: folder["plain.yaml"], atomically: true, encoding: .utf8)
    try Traffic.stream(segments: segments, flow).pcap().write(to: folder["a.pcap"])
    func run(_ words: String) throws -> Finished {
      let end = try Program.shell("cd '\(folder.path)' && \(words)")
      #expect(end.status == 0, "\(end)")
      return end
    }
    let types = try run("$telecap dissect a.pcap --protocol ./plain.yaml --format json").json().compactMap {
      $0["type"] as? String
    }
    #expect(types == ["LEVEL", "NAME", "LABELS", "LEVEL", "NAME", "LEVEL"])
    for receiver in ["model:plain-host", "simulate:plain-host"] {
      let replay = try run("$telecap replay a.pcap --protocol ./plain.yaml --to \(receiver)")
      #expect(replay.output.contains(#/\nLEVEL +3 +3 +3\n/#), "\(receiver): \(replay)")
    }
    _ = try run("$telecap wireshark --protocol ./plain.yaml -o a.lua")
    let shown = try run("tshark -X lua_script:a.lua -r a.pcap -T fields -e plain.message")
    #expect(
      shown.output.split(whereSeparator: \.isWhitespace).joined(separator: ",") == types.joined(separator: ","),
      "\(shown)")
  }

  /// What is there of a text may begin several messages.
  @Test("A stream whose types are texts, cut within them, is read in a capture and in Wireshark")
  func aStreamOfTextTypes() throws {
    func text(_ text: String) -> [UInt8] { [UInt8](text.utf8) + [UInt8](repeating: 0, count: 4 - text.utf8.count % 4) }
    let turn = text("/dial") + [0x3f, 0, 0, 0]
    let all = turn + text("/dial/push") + text("/dia") + text("left") + turn
    let cuts = [0, 4, 12, 16, 20, 24, 28, 36, 44, all.count]
    let flow = Flow(.tcp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_300))
    let folder = try Folder()
    try """
    protocol: knobs
    byte-order: big
    carriers: [{name: tcp, over: tcp, port: 40300, framing: none}]
    header: [{name: address, type: text to 0, padded-to: 4, is: type}]
    messages:
      - {name: TURN, type: /dial, from: client, fields: [{name: angle, type: f32}]}
      - {name: PUSH, type: /dial/push, from: client}
      - {name: NAME, type: /dia, from: client, fields: [{name: name, type: text to 0, padded-to: 4}]}
    """.write(toFile: folder["knobs.yaml"], atomically: true, encoding: .utf8)
    let segments = zip(cuts, cuts.dropFirst()).map { Array(all[$0..<$1]) }
    try Traffic.stream(segments: segments, flow).pcap().write(to: folder["a.pcap"])
    let end = try Program.shell(
      """
      cd '\(folder.path)' && $telecap dissect a.pcap --protocol ./knobs.yaml --summary > counts.txt &&
      $telecap wireshark --protocol ./knobs.yaml -o a.lua && tshark -X lua_script:a.lua -r a.pcap -T fields -e knobs.message
      """)
    #expect(end.status == 0, "\(end)")
    let shown = end.output.split { $0.isWhitespace || $0 == "," }.joined(separator: " ")
    #expect(shown == "TURN PUSH NAME TURN", "\(end)")
    let counts = try String(contentsOfFile: folder["counts.txt"], encoding: .utf8)
    #expect(counts.contains("4 messages") && counts.contains("no findings"), "\(counts)")
  }

  @Test(
    "Streams of SLIP and COBS are decoded: in a capture, in Wireshark and by who receives it",
    arguments: ByteStuffing.allCases)
  func stuffedStreams(_ stuffing: ByteStuffing) throws {
    func level(_ n: UInt16) -> [UInt8] { [UInt8]("PL\u{1}".utf8) + Self.little(n) + Self.little(Float(0.5).bitPattern) }
    // Numbers that SLIP escapes; each level has bytes that are 0. Noise is between the second and the third message.
    // A wrong escape of SLIP, and a block of COBS that is not all there.
    let noise: [UInt8] = [0xdb, 0x55, stuffing.delimiter]
    let all =
      [1, 0xc0].flatMap { stuffing.framed(level($0)) } + noise + [0xdb, 0x1c0].flatMap { stuffing.framed(level($0)) }
    let cuts = [0, 4, 5, 11, 20, 26, 27, all.count]
    let segments = zip(cuts, cuts.dropFirst()).map { Array(all[$0..<$1]) }
    let flow = Flow(.tcp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_300))
    let folder = try Folder()
    try Self.plain.replacing("framing: none", with: "framing: \(stuffing.rawValue)")
      .write(toFile: folder["plain.yaml"], atomically: true, encoding: .utf8)
    try Traffic.stream(segments: segments, flow).pcap().write(to: folder["a.pcap"])
    func run(_ words: String) throws -> Finished {
      let end = try Program.shell("cd '\(folder.path)' && \(words)")
      #expect(end.status == 0, "\(end)")
      return end
    }
    let rows = try run("$telecap dissect a.pcap --protocol ./plain.yaml --format json").json()
    #expect(rows.compactMap { $0["type"] as? String } == ["LEVEL", "LEVEL", "LEVEL", "LEVEL"])
    let numbers = rows.compactMap { ($0["fields"] as? [String: Any])?["n"] as? Int }
    #expect(numbers == [1, 0xc0, 0xdb, 0x1c0], "\(rows)")
    #expect(try run("$telecap dissect a.pcap --protocol ./plain.yaml").output.contains("stream.skipped"))
    for receiver in ["model:plain-host", "simulate:plain-host"] {
      let replay = try run("$telecap replay a.pcap --protocol ./plain.yaml --to \(receiver)")
      #expect(replay.output.contains(#/\nLEVEL +4 +4 +4\n/#), "\(receiver): \(replay)")
    }
    _ = try run("$telecap wireshark --protocol ./plain.yaml -o a.lua")
    let shown = try run("tshark -X lua_script:a.lua -r a.pcap -T fields -e plain.level.n -e plain.finding")
    let words = shown.output.split { $0.isWhitespace || $0 == "," }.map(String.init)
    #expect(words == ["1", "192", "stream.skipped", "219", "448"], "\(shown)")
  }

  @Test("The wrong way is told with the protocol's own sides")
  func theWrongWayIsToldWithTheProtocolsOwnSides() throws {
    var traffic = Traffic()
    try traffic.add(Self.pose(1), at: 0, Self.up.reversed)
    let end = try Self.run("dissect a.pcap FILE", traffic)
    #expect(end.lines.last?.contains("POSE travels from client to host [the duo paper]") == true, "\(end.output)")
  }

  @Test("What was lost is counted for each key, and a session's id is whole")
  func whatWasLostIsCountedForEachKeyAndASessionsIdIsWhole() throws {
    var traffic = Traffic()
    try traffic.add(Self.hi, at: 0, Self.up)
    try traffic.add(Self.yo, at: 1, Self.up.reversed)
    for n in [1, 2, 4] as [UInt16] {
      try traffic.add(Self.pose(n, of: 1), at: 10 + Int(n), Self.up)
      try traffic.add(Self.pose(n + 1_000, of: 0x1_0001), at: 10 + Int(n), Self.up)
    }
    let folder = try Folder()
    try Self.duo.write(toFile: folder["duo.yaml"], atomically: true, encoding: .utf8)
    try traffic.pcap().write(to: folder["a.pcap"])
    let end = try Program.shell(
      "cd '\(folder.path)' && $telecap import a.pcap --protocol ./duo.yaml -o a.telecap && $telecap info --format json a.telecap && $telecap info a.telecap"
    )
    let session = try #require(try PlainValue(json: end.lines[0])["sessions"]?.list.first, "\(end)")
    #expect(session["session_id"] == .unsigned(9_223_372_041_149_743_109), "\(session)")
    let stream = try #require(session["streams"]?.list.first, "\(session)")
    #expect(stream["message"] == "POSE" && stream["lost"] == 2 && stream["count"] == 6, "\(stream)")
    #expect(end.output.contains("1  duo udp, client 192.0.2.10:"), "\(end)")
    #expect(
      end.output.contains("from the client  6 ")
        && end.output.contains("     POSE             6  1666.7/s  longest gap 2.00 ms, 2 lost by seq"), "\(end)")
  }
}
