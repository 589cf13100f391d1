import Foundation
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

/// Lines of text with numbers, in the program's outputs, in Wireshark, and to a program that reads them.
@Suite("Lines of text in captures, Wireshark and programs", .real("runs telecap and tshark")) struct DecimalExportTests
{
  private static func tello() throws -> WireProtocol {
    let text = try String(contentsOf: Project.file("Scenarios/protocols/tello.yaml"), encoding: .utf8)
    return try ProtocolFile.read(text, file: "tello.yaml")
  }

  /// A folder with a capture of these lines to the drone.
  private static func folder(_ lines: [String]) throws -> Folder {
    let folder = try Folder()
    var traffic = Traffic()
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 8_889))
    for (index, line) in lines.enumerated() { try traffic.add(Array(line.utf8), at: index, flow) }
    try traffic.pcap().write(to: folder["a.pcap"])
    return folder
  }

  private static func run(_ words: String, in folder: Folder) throws -> [String] {
    let end = try Program.shell("cd '\(folder.path)' && \(words)")
    #expect(end.status == 0, "\(end)")
    return end.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test("Captures have numbers, and NULL where the digits are none")
  func stored() throws {
    let folder = try Self.folder(["rc 0 50 0 -100", "rc 1 2x 3 4", "rc 5 6 7 120", "takeoff", "battery?", "rc 1 2 3 "])
    _ = try Self.run("$telecap import a.pcap --protocol tello -o a.telecap", in: folder)
    let rows = try Self.run(
      "sqlite3 a.telecap 'SELECT right, forward, turn, typeof(right) FROM tello_sticks'", in: folder)
    #expect(rows == ["0|50|-100|integer", "1||4|integer", "5|6|120|integer", "1|2||integer"])
    let types = try Self.run("$telecap export a.telecap --format csv --columns type", in: folder)
    #expect(types.dropFirst() == ["STICKS", "STICKS", "STICKS", "TAKEOFF", "UNKNOWN", "STICKS"], "\(types)")
    let shown = try Self.run("$telecap dissect a.telecap --format json", in: folder)
    #expect(shown[1].contains(#""right":1,"forward":null,"up":3,"turn":4"#), "\(shown)")
    #expect(shown[5].contains(#""up":3,"turn":null"#), "\(shown)")
    let text = try Self.run("$telecap dissect a.telecap", in: folder).joined(separator: "\n")
    #expect(text.contains("forward is not a number in decimal digits") && text.contains("turn is 120"), "\(text)")
    let set = try Self.run("$telecap replay a.telecap --set forward=-7 --dry-run 2>&1", in: folder)
    #expect(set.contains("  set forward=-7: 66.667% (4 of 6)"), "\(set)")
    let refused = try Program.shell("cd '\(folder.path)' && $telecap replay a.telecap --set forward=-7.5 --dry-run")
    #expect(
      refused.status == 64 && refused.errors.contains("STICKS.forward is decimal: it cannot hold -7.5"), "\(refused)")
  }

  @Test("Wireshark has the values and the findings of telecap, whatever stands in place of the digits")
  func wireshark() throws {
    var random = SplitMix64(seed: 5)
    let pieces = [
      "0", "-1", "100", "101", "-100", "-101", "007", "+5", "1.4", "1.5", "", "x", "1x", "nan", "3.", "2147483648",
    ]
    let lines = (0..<200).map { _ in
      "rc " + (0..<4).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined(separator: " ")
    }
    let folder = try Self.folder(lines + ["rc 1 2", "rc 1 2 ", "rc"])
    let owner = try Self.tello()
    _ = try Self.run("$telecap wireshark --protocol tello -o a.lua", in: folder)
    let shown = try Self.run(
      "tshark -X lua_script:a.lua -r a.pcap -T fields -E separator=/t -e tello.sticks.right -e tello.sticks.forward "
        + "-e tello.sticks.up -e tello.sticks.turn -e tello.finding", in: folder)
    let own = (lines + ["rc 1 2", "rc 1 2 ", "rc"]).map { line in
      let bytes = Array(line.utf8)
      let read = Message.decode(bytes.span.bytes, as: owner.dialects[0])
      let kind = owner["STICKS"]
      let values = ["right", "forward", "up", "turn"].map { name -> String in
        guard let value = kind?.layout[name]?.value(in: bytes.span.bytes) else { return "" }
        return value.description
      }
      return (values + [read.findings.map(\.rule.id).joined(separator: ",")]).joined(separator: "\t")
    }
    for (index, pair) in zip(shown, own).enumerated() where index < lines.count {
      #expect(pair.0 == pair.1, "\(lines[index])")
    }
    let findings = { (rows: [String]) in rows.suffix(3).map { $0.split(separator: "\t").last ?? "" } }
    #expect(findings(shown) == findings(own))
  }
}

extension WallClockSuites {
  /// A drone in Python that reads lines of text, as their authors write them.
  @Suite("Programs that read lines of text", .real("runs a program")) struct DecimalProgramTests {
    private static let program = """
      import json, socket, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.bind(("127.0.0.1", int(sys.argv[1])))
      print("listening", flush=True)
      while True:
          words = s.recv(2048).decode("ascii", "replace").split(" ")
          if words[0] != "rc" or len(words) != 5: continue
          try: values = [int(w) for w in words[1:]]
          except ValueError: continue
          print(json.dumps({"sticks": FORM}), flush=True)
      """

    @Test(
      "A right one passes, and one that swaps two numbers fails",
      arguments: [("values", 0), ("[values[1], values[0]] + values[2:]", 1)])
    func conform(_ form: String, _ status: Int32) throws {
      let folder = try Folder()
      try Self.program.replacing("FORM", with: form).write(
        toFile: folder["drone.py"], atomically: true, encoding: .utf8)
      try """
      role: drone
      command: [python3, drone.py, $UDP]
      addresses: {udp: free}
      ready: {line: listening}
      shows:
        events:
          - {is: applied, stream: sticks, fields: {right: sticks.0, forward: sticks.1, up: sticks.2, turn: sticks.3}}

      """.write(toFile: folder["drone.yaml"], atomically: true, encoding: .utf8)
      let end = try Program.shell(
        "cd '\(folder.path)' && $telecap conform --sut drone.yaml --protocol tello --only-protocol --only tello.sticks.latest-value-wins"
      )
      #expect(end.status == status, "\(end)")
    }
  }
}
