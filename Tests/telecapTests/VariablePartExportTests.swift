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
}
