import Foundation
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

/// Fields of bits in the program's outputs and in Wireshark.
@Suite(.real("runs telecap")) struct BitExportTests {
  private static func text(_ order: String) -> String {
    """
    protocol: bitty
    bit-order: \(order)
    carriers: [{name: udp, over: udp, port: 40600}]
    header:
      - {name: version, type: bits 3, equals: 5, is: identity}
      - {name: kind, type: bits 5, is: type}
    messages:
      - name: ONE
        type: 7
        from: client
        fields:
          - {name: spare, type: bits 2, reserved: true}
          - {name: level, type: bits 11, range: [3, 2000]}
          - {name: mode, type: bits 3, codes: {0: off, 5: on}}
          - {name: far, type: bits 60}
          - {name: near, type: bits 36}
          - {name: heat, type: bits 12, scale: 0.5, offset: -40, unit: deg}
          - {name: rest, type: bits 4, bits: 3}
    """
  }

  private static let fields: [String: FieldValue] = [
    "level": .unsigned(1_234), "mode": .unsigned(5), "far": .unsigned(0xedc_ba98_7654_3210),
    "near": .unsigned(0x8_0000_0001), "heat": .double(25.5), "rest": .unsigned(2),
  ]

  @Test("Wireshark and telecap have the same values and find the same", arguments: ["high-first", "low-first"])
  func outputs(_ order: String) throws {
    let owner = try ProtocolFile.read(Self.text(order), file: "bitty.yaml")
    let kind = try #require(owner["ONE"])
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_600))
    var traffic = Traffic()
    let right = try Message(kind, fields: Self.fields)
    func add(_ field: String?, _ bits: UInt64, at index: Int) throws {
      var message = right
      if let field { message.put(bits: bits, try #require(kind.layout[field])) }
      try traffic.add(message.bytes, at: index, flow)
    }
    try add(nil, 0, at: 0)
    for (index, wrong) in [
      ("spare", 1), ("level", 2), ("level", 2_001), ("mode", 4), ("rest", 4), ("version", 4), ("kind", 8),
    ].enumerated() {
      try add(wrong.0, UInt64(wrong.1), at: index + 1)
    }
    let folder = try Folder()
    try Self.text(order).write(toFile: folder["bitty.yaml"], atomically: true, encoding: .utf8)
    try traffic.pcap().write(to: folder["a.pcap"])
    func run(_ words: String) throws -> Finished {
      let end = try Program.shell("cd '\(folder.path)' && \(words)")
      #expect(end.status == 0, "\(end)")
      return end
    }
    let json = try run("$telecap dissect a.pcap --protocol ./bitty.yaml --format json")
    #expect(
      json.output.contains(
        #""spare":0,"level":1234,"mode":5,"far":1070935975390360080,"near":34359738369,"heat":25.5,"heat_raw":131,"rest":2"#
      ),
      "\(json.output)")
    _ = try run("$telecap import a.pcap --protocol ./bitty.yaml -o a.telecap")
    let rows = try run(
      "$telecap export a.telecap --format jsonl --columns level,mode,far,near,heat,heat_raw --where 'level = 1234' | head -1"
    )
    #expect(
      rows.lines == [
        #"{"level":1234,"mode":5,"far":1070935975390360080,"near":34359738369,"heat":25.5,"heat_raw":131}"#
      ], "\(rows.output)")
    let shown = try run("$telecap dissect a.pcap --protocol ./bitty.yaml")
    #expect(shown.output.contains(order == "high-first" ? "101. ...." : ".... .101"), "\(shown.output)")
    _ = try run("$telecap wireshark --protocol ./bitty.yaml -o a.lua")
    let values = try run(
      "tshark -X lua_script:a.lua -r a.pcap -T fields -e bitty.one.level -e bitty.one.mode -e bitty.one.far -e bitty.one.near -e bitty.version -c 1"
    )
    #expect(values.lines == ["1234\t5\t1070935975390360080\t34359738369\t5"], "\(values.output)")
    let tree = try run("tshark -X lua_script:a.lua -r a.pcap -V -c 1")
    #expect(tree.output.contains("131 = 25.5 deg"), "\(tree.output)")
    let rules = try run("tshark -X lua_script:a.lua -r a.pcap -T fields -e bitty.finding").output
    #expect(
      rules.split(separator: "\n", omittingEmptySubsequences: false).prefix(8) == [
        "", "reserved.nonzero", "value.out-of-range", "value.out-of-range", "value.unknown-code", "reserved.nonzero",
        "header.version", "header.type",
      ], "\(rules)")
  }
}
