import Foundation
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

/// Fields after those of variable size, and fields that may be missing, in the program's outputs and in Wireshark.
@Suite(.real("runs telecap")) struct VariablePartExportTests {
  private static let text = """
    protocol: party
    byte-order: big
    carriers: [{name: udp, over: udp, port: 40700}]
    header: [{name: kind, type: u8, is: type}]
    messages:
      - name: ONE
        type: 1
        from: client
        fields:
          - {name: flags, type: u8}
          - {name: extra, type: u16, when: {field: flags, bits: 0x10}, range: [1, 9]}
          - {name: count, type: u8}
          - {name: title, type: text in count, words: 2, less: 2, characters: a-z, count: [0, 90]}
          - {name: path, type: text to 0, padded-to: 4}
          - {name: level, type: u8, range: [0, 9]}
          - {name: crc, type: u16, check: {algorithm: crc16-x25, from: count}}
    """

  @Test("Wireshark and telecap have the same values and find the same")
  func outputs() throws {
    let owner = try ProtocolFile.read(Self.text, file: "party.yaml")
    let kind = try #require(owner["ONE"])
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_700))
    var traffic = Traffic()
    let base: [String: FieldValue] = ["title": .text("ab"), "path": .text("/x"), "level": .unsigned(7)]
    let right = try Message(kind, fields: base)
    let full = try Message(right, fields: ["extra": .unsigned(5)])
    var wrong = full.bytes
    wrong[6] ^= 1
    let messages = [
      right.bytes, full.bytes, try Message(full, fields: ["extra": .unsigned(10)]).bytes,
      try Message(full, fields: ["title": .text("Ab")]).bytes,
      try Message(full, fields: ["level": .unsigned(10)]).bytes,
      wrong, Array(full.bytes.dropLast(3)),
    ]
    for (index, bytes) in messages.enumerated() { try traffic.add(bytes, at: index, flow) }
    let folder = try Folder()
    try Self.text.write(toFile: folder["party.yaml"], atomically: true, encoding: .utf8)
    try traffic.pcap().write(to: folder["a.pcap"])
    func run(_ words: String) throws -> Finished {
      let end = try Program.shell("cd '\(folder.path)' && \(words)")
      #expect(end.status == 0, "\(end)")
      return end
    }
    let json = try run("$telecap dissect a.pcap --protocol ./party.yaml --format json").output
    #expect(json.contains(#""flags":0,"extra":null,"count":2,"title":"ab","path":"/x","level":7"#), "\(json)")
    #expect(json.contains(#""flags":16,"extra":5,"count":2,"title":"ab","path":"/x","level":7"#), "\(json)")
    let shown = try run("$telecap dissect a.pcap --protocol ./party.yaml").output
    #expect(shown.contains("extra"), "\(shown)")
    _ = try run("$telecap import a.pcap --protocol ./party.yaml -o a.telecap")
    let rows = try run("$telecap export a.telecap --format jsonl --columns extra,title,path,level | head -2")
    #expect(
      rows.lines == [
        #"{"title":"ab","path":"/x","level":7}"#, #"{"extra":5,"title":"ab","path":"/x","level":7}"#,
      ], "\(rows.output)")
    _ = try run("$telecap wireshark --protocol ./party.yaml -o a.lua")
    let values = try run(
      "tshark -X lua_script:a.lua -r a.pcap -T fields -e party.one.extra -e party.one.title -e party.one.path -e party.one.level -c 2"
    )
    #expect(values.output.split(separator: "\n") == ["\tab\t/x\t7", "5\tab\t/x\t7"], "\(values.output)")
    let rules = try run("tshark -X lua_script:a.lua -r a.pcap -T fields -e party.finding").output
    let lines = rules.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let own = messages.map { bytes in
      Message.decode(bytes.span.bytes, as: owner.dialects[0]).findings.map(\.rule.id).joined(separator: ",")
    }
    #expect(Array(lines.prefix(messages.count)) == own, "\(rules)")
    #expect(own[..<2] == ["", ""] && own[2] == "value.out-of-range" && own[5] == "header.crc", "\(own)")
  }

  /// The lines that shell commands print in a folder.
  private static func lines(of words: String, in folder: Folder) throws -> [String] {
    let end = try Program.shell("cd '\(folder.path)' && \(words)")
    #expect(end.status == 0, "\(end)")
    return end.output.split(separator: "\n").map(String.init)
  }

  @Test("A datagram of several messages is each of them, also in Wireshark")
  func several() throws {
    let folder = try Folder()
    var traffic = Traffic()
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 5_005))
    // RR, BYE and PLI (pion/rtcp, packet_test.go, realPacket), whole, then cut.
    let report = "81c90007902f9e2ebc5e9a4000000000000046e10000011109f3643200024a79"
    let bytes = try #require(Hex.bytes(report + "81cb0001902f9e2e" + "81ce0002902f9e2e902f9e2e"))
    try traffic.add(bytes, at: 0, flow)
    try traffic.add(Array(bytes.dropLast(3)), at: 1, flow)
    try traffic.pcap().write(to: folder["a.pcap"])
    // Wireshark has an RTCP of its own.
    try String(contentsOf: Project.file("Scenarios/protocols/rtcp.yaml"), encoding: .utf8)
      .replacing("protocol: rtcp", with: "protocol: mediareport")
      .write(toFile: folder["mediareport.yaml"], atomically: true, encoding: .utf8)
    func run(_ words: String) throws -> [String] { try Self.lines(of: words, in: folder) }
    _ = try run("$telecap import a.pcap --protocol ./mediareport.yaml -o a.telecap")
    let rows = try run("$telecap export a.telecap --format csv --columns packet,type,offset")
    #expect(rows.dropFirst() == ["1,RR,42", "1,BYE,74", "1,PSFB,82", "2,RR,42", "2,BYE,74", "2,PSFB,82"], "\(rows)")
    _ = try run("$telecap wireshark --protocol ./mediareport.yaml -o a.lua")
    let shown = try run(
      "tshark -X lua_script:a.lua -r a.pcap -T fields -e mediareport.message -e mediareport.finding")
    #expect(shown == ["RR,BYE,PSFB\t", "RR,BYE,PSFB\theader.length"], "\(shown)")
  }

  @Test("The messages of a bundle of OSC are rows, and in Wireshark messages, each at its place")
  func bundles() throws {
    let folder = try Folder()
    var traffic = Traffic()
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 39_539))
    // What python-osc 1.10.2 builds of BLEND, BLEND_APPLY and TIME; then one address that nobody declared, and half a bundle.
    let bundle = try #require(
      Hex.bytes(
        "2362756e646c65000000000000000001000000202f564d432f4578742f426c656e642f56616c00002c7366004a6f79003f4000000000001c"
          + "2f564d432f4578742f426c656e642f4170706c79000000002c000000000000142f564d432f4578742f5400002c66000041480000"))
    try traffic.add(bundle, at: 0, flow)
    try traffic.add(Array("/VMC/Ext/No\u{0},i\u{0}\u{0}abcd".utf8), at: 1, flow)
    try traffic.add(Array(bundle.dropLast(3)), at: 2, flow)
    try traffic.pcap().write(to: folder["a.pcap"])
    func run(_ words: String) throws -> [String] { try Self.lines(of: words, in: folder) }
    _ = try run("$telecap import a.pcap --protocol vmc -o a.telecap")
    let rows = try run("$telecap export a.telecap --format csv --columns packet,type,offset")
    let first = ["1,BLEND,62", "1,BLEND_APPLY,98", "1,TIME,130"]
    let cut = ["3,BLEND,62", "3,BLEND_APPLY,98", "3,UNKNOWN,126"]
    #expect(Array(rows.dropFirst()) == first + ["2,UNKNOWN,42"] + cut, "\(rows)")
    _ = try run("$telecap wireshark --protocol vmc -o a.lua")
    let shown = try run(
      "tshark -X lua_script:a.lua -r a.pcap -T fields -e vmc.message -e vmc.blend.value -e vmc.finding")
    #expect(
      shown == [
        "BLEND,BLEND_APPLY,TIME\t0.75\t", "UNKNOWN\t\theader.type", "BLEND,BLEND_APPLY,UNKNOWN\t0.75\theader.type",
      ], "\(shown)")
    // The second datagram has no such field.
    let set = try run("$telecap replay a.telecap --set value=0.5 --dry-run 2>&1")
    #expect(set.contains { $0.contains("set value=0.5") && $0.contains("(2 of 3)") }, "\(set)")
  }

  private static let entries = """
    protocol: wall
    byte-order: big
    carriers: [{name: udp, over: udp, port: 40702}]
    header: [{name: kind, type: u8, is: type}]
    parts:
      tile: [{name: x, type: i16, range: [0, 1000], unit: px}, {name: hue, type: bits 4}, {name: level, type: bits 12}]
      label: [{name: length, type: u8}, {name: text, type: text in length, characters: a-z, count: [0, 9]}]
    messages:
      - name: TILES
        type: 1
        from: client
        fields: [{name: n, type: u8}, {name: tiles, repeat: tile, times: n}, {name: end, type: u8, range: [0, 9]}]
      - name: LABELS
        type: 2
        from: client
        fields: [{name: n, type: u8}, {name: labels, repeat: label, times: n}, {name: end, type: u8}]
      - {name: LIST, type: 3, from: client, fields: [{name: tiles, repeat: tile}]}
    """

  @Test("Entries are objects in JSON, rows of a table of their own in a capture, and a tree in Wireshark")
  func repeated() throws {
    let owner = try ProtocolFile.read(Self.entries, file: "wall.yaml")
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_702))
    let messages: [[UInt8]] = [
      [1, 2, 0, 5, 0x60, 7, 7, 0xd0, 0xff, 0xff, 9], [1, 2, 0, 5, 0x60, 7], [1, 0, 10],
      [2, 2, 2, 0x61, 0x62, 1, 0x41, 8], [2, 2, 2, 0x61], [2, 0, 8],
      [3, 0, 1, 0, 2, 0, 3, 0, 4, 5, 6], [3], [3, 0, 1],
    ]
    let folder = try Folder()
    try Self.entries.write(toFile: folder["wall.yaml"], atomically: true, encoding: .utf8)
    var traffic = Traffic()
    for (index, bytes) in messages.enumerated() { try traffic.add(bytes, at: index, flow) }
    try traffic.pcap().write(to: folder["a.pcap"])
    func run(_ words: String) throws -> [String] {
      let end = try Program.shell("cd '\(folder.path)' && \(words)")
      #expect(end.status == 0, "\(end)")
      return end.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    let json = try run("$telecap dissect a.pcap --protocol ./wall.yaml --format json")
    let tiles = #""tiles":[{"x":5,"hue":6,"level":7},{"x":2000,"hue":15,"level":4095}]"#
    #expect(json[0].contains(#""n":2,\#(tiles),"end":9"#), "\(json[0])")
    #expect(json[3].contains(#""labels":[{"length":2,"text":"ab"},{"length":1,"text":"A"}],"end":8"#), "\(json[3])")
    #expect(json[7].contains(#""fields":{"kind":3,"tiles":[]}"#), "\(json[7])")
    let tree = try run("$telecap dissect a.pcap --protocol ./wall.yaml")
    let entry = tree.first { $0.contains("tiles[1].x") }?.split(separator: " ").map(String.init)
    #expect(entry == ["6", "tiles[1].x", "2000", "px", "07", "d0"], "\(tree)")
    _ = try run("$telecap import a.pcap --protocol ./wall.yaml -o a.telecap")
    func rows(_ table: String) throws -> [String] {
      try run("sqlite3 -header -csv a.telecap 'SELECT * FROM \(table) ORDER BY message, entry' | tr -d '\\r'")
        .filter { !$0.isEmpty }
    }
    #expect(
      try rows("wall_tiles_tiles") == ["message,entry,x,hue,level", "1,0,5,6,7", "1,1,2000,15,4095", "2,0,5,6,7"])
    #expect(try rows("wall_labels_labels") == ["message,entry,length,text", "4,0,2,ab", "4,1,1,A"])
    #expect(try rows("wall_list_tiles") == ["message,entry,x,hue,level", "7,0,1,0,2", "7,1,3,0,4"])
    _ = try run("$telecap wireshark --protocol ./wall.yaml -o a.lua")
    let shown = try run(
      "tshark -X lua_script:a.lua -r a.pcap -T fields -e wall.tiles.tiles.x -e wall.labels.labels.text -e wall.list.tiles.level"
    )
    #expect(
      shown.prefix(9) == ["5,2000\t\t", "5\t\t", "\t\t", "\tab,A\t", "\t\t", "\t\t", "\t\t2,4", "\t\t", "\t\t"],
      "\(shown)")
    let rules = try run("tshark -X lua_script:a.lua -r a.pcap -T fields -e wall.finding -e _ws.expert.message")
    for (index, bytes) in messages.enumerated() {
      let findings = Message.decode(bytes.span.bytes, as: owner.dialects[0]).findings
      let names = rules[index].split(separator: "\t", omittingEmptySubsequences: false)
      let own = findings.map(\.rule.id).joined(separator: ",")
      #expect(names.first.map(String.init) == own, "\(bytes) \(rules[index])")
      for finding in findings where finding.rule.id.hasPrefix("value.") {
        #expect(rules[index].contains("\(finding)".prefix { $0 != " " }), "\(rules[index])")
      }
    }
  }

  private static let cut = """
    protocol: cutty
    carriers: [{name: udp, over: udp, port: 40701}]
    header: [{name: kind, type: u8, is: type}, {name: length, type: u8}, {name: flags, type: u8}]
    parts:
      body:
        - {name: a, type: u16, range: [0, 300]}
        - {name: b, type: i32}
        - {name: c, type: f32}
        - {name: d, type: i64}
        - {name: e, type: text 4, characters: a-z, count: [0, 4]}
        - {name: f, type: bytes 2}
        - {name: low, type: bits 4}
        - {name: high, type: bits 4}
        - {name: g, type: u64}
    messages:
      - name: ONE
        type: 1
        from: client
        fields:
          - {part: body, cut-zeros: length}
          - {name: crc, type: u16, check: {algorithm: crc16-mcrf4xx, from: length, extra: 50}}
          - {name: link, type: u8, when: {field: flags, bits: 1}}
    """

  @Test("A payload whose zeros are cut has all values, in Wireshark too")
  func cutPayload() throws {
    let owner = try ProtocolFile.read(Self.cut, file: "cutty.yaml")
    let kind = try #require(owner["ONE"])
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_701))
    var traffic = Traffic()
    let fields: [[String: FieldValue]] = [
      [:], ["a": .unsigned(256)], ["a": .unsigned(301)], ["b": .signed(-2)], ["b": .signed(2)], ["c": .float(1.5)],
      ["d": .signed(-3), "link": .unsigned(4)], ["d": .signed(1)], ["e": .text("ab")], ["e": .text("A")],
      ["f": .bytes([7, 0])], ["low": .unsigned(5)], ["high": .unsigned(9)], ["g": .unsigned(1 << 40)],
    ]
    var messages = try fields.map { try Message(kind, fields: $0).bytes }
    var wrong = messages[3]
    wrong[4] ^= 1
    messages += [wrong, messages[3].dropLast(1), messages[6].dropLast(1)]
    for (index, bytes) in messages.enumerated() { try traffic.add(bytes, at: index, flow) }
    let folder = try Folder()
    try Self.cut.write(toFile: folder["cutty.yaml"], atomically: true, encoding: .utf8)
    try traffic.pcap().write(to: folder["a.pcap"])
    func run(_ words: String) throws -> Finished {
      let end = try Program.shell("cd '\(folder.path)' && \(words)")
      #expect(end.status == 0, "\(end)")
      return end
    }
    let json = try run("$telecap dissect a.pcap --protocol ./cutty.yaml --format json").output
    #expect(json.contains(#""a":256,"b":0,"c":0.0,"d":0,"e":"","f":"0000","low":0,"high":0,"g":0"#), "\(json)")
    _ = try run("$telecap dissect a.pcap --protocol ./cutty.yaml")
    _ = try run("$telecap import a.pcap --protocol ./cutty.yaml -o a.telecap")
    let rows = try run("$telecap export a.telecap --format csv --columns a,b,c,d,e,f,low,high,g,link")
    _ = try run("$telecap wireshark --protocol ./cutty.yaml -o a.lua")
    let names = ["a", "b", "c", "d", "e", "f", "low", "high", "g", "link"]
    let shown = try run(
      "tshark -X lua_script:a.lua -r a.pcap -T fields -E separator=, \(names.map { "-e cutty.one.\($0)" }.joined(separator: " "))"
    )
    let stored = rows.lines.dropFirst().map { $0.replacing(".0,", with: ",") }
    #expect(
      Array(shown.lines.prefix(fields.count)) == Array(stored.prefix(fields.count)), "\(shown.output)\n\(rows.output)")
    let rules = try run("tshark -X lua_script:a.lua -r a.pcap -T fields -e cutty.finding").output
    let lines = rules.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let own = messages.map { bytes in
      Message.decode(bytes.span.bytes, as: owner.dialects[0]).findings.map(\.rule.id).joined(separator: ",")
    }
    #expect(Array(lines.prefix(messages.count)) == own, "\(rules)")
    #expect(own.filter { $0 == "" }.count == fields.count - 2 && own.last != "", "\(own)")
  }
}
