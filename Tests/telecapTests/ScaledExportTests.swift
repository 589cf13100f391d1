import Foundation
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

/// The program's outputs have the value of a scaled number, and the number of the wire next to it.
@Suite(.real("runs telecap")) struct ScaledExportTests {
  private static let text = """
    protocol: cam
    byte-order: big
    carriers: [{name: udp, over: udp, port: 40400}]
    header: [{name: kind, type: u8, is: type}]
    messages:
      - name: POSE
        type: 0xd1
        from: client
        fields:
          - {name: pan, type: i24, scale: 1/32768, unit: deg, range: [-180, 180]}
          - {name: zoom, type: u24}
    """

  @Test("Dissecting, JSON, SQL, Wireshark and a replay have the value")
  func outputs() throws {
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 40_400))
    var traffic = Traffic()
    try traffic.add([0xd1, 0xff, 0x40, 0, 1, 2, 3], at: 0, flow)
    try traffic.add([0xd1, 0x7f, 0xff, 0xff, 0, 0, 1], at: 1, flow)
    let folder = try Folder()
    try Self.text.write(toFile: folder["cam.yaml"], atomically: true, encoding: .utf8)
    try traffic.pcap().write(to: folder["a.pcap"])
    func run(_ words: String) throws -> Finished {
      let end = try Program.shell("cd '\(folder.path)' && \(words)")
      #expect(end.status == 0, "\(end)")
      return end
    }
    let shown = try run("$telecap dissect a.pcap --protocol ./cam.yaml")
    #expect(shown.output.contains("-1.5 deg (raw -49152)") && shown.output.contains("zoom  66051"), "\(shown)")
    #expect(shown.output.contains("pan is 255.99996948242188; it must be in -180…180"))
    let json = try run("$telecap dissect a.pcap --protocol ./cam.yaml --format json")
    #expect(json.output.contains(#""pan":-1.5,"pan_raw":-49152,"zoom":66051"#), "\(json)")
    _ = try run("$telecap import a.pcap --protocol ./cam.yaml -o a.telecap")
    let rows = try run("$telecap export a.telecap --format jsonl --columns pan,pan_raw,zoom --where 'pan < 0.5'")
    #expect(rows.lines == [#"{"pan":-1.5,"pan_raw":-49152,"zoom":66051}"#])
    let csv = try run("$telecap export a.telecap --format csv --columns pan,pan_raw")
    #expect(csv.lines == ["pan,pan_raw", "-1.5,-49152", "255.99996948242188,8388607"])
    _ = try run("$telecap wireshark --protocol ./cam.yaml -o a.lua")
    let tree = try run("tshark -X lua_script:a.lua -r a.pcap -V")
    #expect(tree.output.contains("-49152 = -1.5 deg") && tree.output.contains("8388607 = 255.9999695 deg"), "\(tree)")
    let found = try run("tshark -X lua_script:a.lua -r a.pcap -T fields -e cam.finding")
    #expect(found.output.contains("value.out-of-range"))
  }
}
