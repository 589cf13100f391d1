import Foundation
import TelecapRecording
import TelecapTestSupport
import Testing

/// `telecap protocols`, as its user runs it.
@Suite(.real("runs telecap")) struct ProtocolsCommandTests {
  private static let file = """
    protocol: lamp
    title: a lamp
    carriers:
      - {name: udp, over: udp, port: 7000}
    header:
      - {name: magic, type: text 2, equals: LP, is: identity}
    messages:
      - {name: LEVEL, from: client, fields: [{name: level, type: f32}, {name: hue, type: u8}]}
    """
  private static let vectors = "LEVEL\n  source: by hand\n  bytes: 4c50 0000003f 07\n  level = 0.5\n"

  /// A folder with a protocol file and its vectors.
  private func folder(_ vectors: String = ProtocolsCommandTests.vectors) throws -> Folder {
    let folder = try Folder()
    try Self.file.write(toFile: folder["lamp.yaml"], atomically: true, encoding: .utf8)
    try vectors.write(toFile: folder["lamp.txt"], atomically: true, encoding: .utf8)
    return folder
  }

  private func run(_ line: String, in folder: Folder) throws -> Finished {
    try Program.shell("cd '\(folder.path)' && $telecap protocols \(line)")
  }

  @Test("The list has built-in protocols and those of files, in text and in JSON")
  func list() throws {
    let text = try Program.run(["protocols"])
    #expect(text.status == 0 && text.errors.isEmpty, "\(text.errors)")
    #expect(text.output.contains("tele ") && text.output.contains("tcp 50000"), "\(text.output)")
    #expect(text.output.contains("dsu ") && text.output.contains("udp 26760"), "\(text.output)")
    #expect(try Program.run(["protocols", "list"]).output == text.output)
    let rows = try Program.run(["protocols", "list", "--format", "json"]).json()
    #expect(rows.count == text.output.split(separator: "\n").count)
    let dsu = try #require(rows.first { $0["name"] as? String == "dsu" })
    let ports = try #require(dsu["ports"] as? [[String: Any]])
    #expect(ports.first?["port"] as? Int == 26_760 && (dsu["file"] as? String)?.hasSuffix("protocols/dsu.yaml") == true)
  }

  @Test("Right vectors end with 0, and fields that none shows are named")
  func right() throws {
    let end = try run("check ./lamp.yaml --vectors lamp.txt", in: folder())
    #expect(end.status == 0, "\(end.errors)")
    #expect(
      end.output == "lamp: 1 message, 3 fields, 1 of 1 test vector right\nno vector shows LEVEL: hue\n", "\(end.output)"
    )
  }

  @Test("A wrong value ends with 1, its line and both values")
  func wrong() throws {
    let folder = try folder(Self.vectors.replacing("0.5", with: "0.25"))
    let end = try run("check ./lamp.yaml --vectors lamp.txt", in: folder)
    #expect(end.status == 1 && end.output.contains("lamp.txt:4: level: expected 0.25, observed 0.5\n"), "\(end.output)")
    let json = try run("check ./lamp.yaml --vectors lamp.txt --format json", in: folder)
    let right = try json.json().first?["right"] as? Int
    #expect(json.status == 1 && right == 0, "\(json.output)")
  }

  @Test("Vectors are found next to the file, none are said, and a file that is not there is 66")
  func vectorsFile() throws {
    let folder = try folder()
    #expect(try run("check ./lamp.yaml", in: folder).output.contains("no test vectors, which --vectors names"))
    try FileManager.default.createDirectory(atPath: folder["vectors"], withIntermediateDirectories: false)
    try FileManager.default.moveItem(atPath: folder["lamp.txt"], toPath: folder["vectors"] + "/lamp.txt")
    #expect(try run("check ./lamp.yaml", in: folder).output.contains("1 of 1 test vector right"))
    #expect(try run("check ./lamp.yaml --vectors none.txt", in: folder).status == 66)
    #expect(try run("check lmap", in: folder).status == 64)
  }

  @Test("A mistake in vectors is 65, with line and column")
  func mistake() throws {
    let end = try run("check ./lamp.yaml --vectors lamp.txt", in: folder("LEVEL\n  bytes: 0\n"))
    #expect(end.status == 65 && end.errors.contains("lamp.txt:2:3: \"bytes:\" has pairs of hexadecimal digits"))
  }

  /// A capture of a lamp that counts, dims and has its own magic.
  private func capture(in folder: Folder) throws {
    var traffic = Traffic()
    let flow = Flow(.udp, from: Traffic.phone, to: Endpoint(Traffic.host.address, port: 7000))
    for index in 0..<200 {
      let level = Float((index * 7) % 200 - 100) * 0.013
      let number = withUnsafeBytes(of: UInt16(truncatingIfNeeded: 65_500 + index).littleEndian) { Array($0) }
      let bits = withUnsafeBytes(of: level.bitPattern.littleEndian) { Array($0) }
      try traffic.add(Array("LAMP".utf8) + number + bits, at: index * 20, flow)
    }
    try traffic.pcap().write(to: folder["a.pcap"])
  }

  @Test("A file that is begun from a capture decodes it, and its suite lists the stream")
  func new() throws {
    let folder = try Folder()
    try capture(in: folder)
    let end = try run("new lamp --from a.pcap --port 7000 -o lamp.yaml", in: folder)
    #expect(end.status == 0 && end.errors.contains("decodes 200 of 200 payloads"), "\(end.errors)")
    let decoded = try Program.shell(
      "cd '\(folder.path)' && $telecap dissect a.pcap --protocol ./lamp.yaml --fail-on note")
    #expect(decoded.status == 0, "\(decoded.output.suffix(400)) \(decoded.errors)")
    let suite = try Program.shell(
      "cd '\(folder.path)' && $telecap conform --protocol ./lamp.yaml --only-protocol --list")
    #expect(suite.status == 0 && suite.output.contains("latest-value-wins"), "\(suite.output) \(suite.errors)")
    #expect(try run("new lamp --from a.pcap --port 7000 -o lamp.yaml", in: folder).status == 73)
  }

  @Test("A port without traffic, another name and no capture are errors")
  func noTraffic() throws {
    let folder = try Folder()
    try capture(in: folder)
    let empty = try run("new lamp --from a.pcap --port 7001", in: folder)
    #expect(empty.status == 65 && empty.errors.contains("no payload to or from UDP port 7001"), "\(empty.errors)")
    #expect(try run("new 'My lamp' --from a.pcap --port 7000", in: folder).status == 65)
    #expect(try run("new lamp --from none.pcap --port 7000", in: folder).status == 66)
    #expect(try run("new lamp --from a.pcap --port 70000", in: folder).status == 64)
    #expect(try run("new lamp --from a.pcap --port 7000 --port 7001", in: folder).status == 64)
    #expect(try run("new lamp --from a.pcap", in: folder).status == 64)
  }

  @Test("The port may be that of a protocol that is known, here TELE's: its magic, type and sizes are found")
  func knownPort() throws {
    let end = try Program.run(
      ["protocols", "new", "mine", "--from", Project.file("Captures/teleoperation.pcapng").path, "--port", "50000"])
    #expect(end.status == 0 && end.output.contains("equals: 'TELE', is: identity"), "\(end.output)\(end.errors)")
    #expect(end.output.contains("{name: type, type: u8, is: type}"), "\(end.output)")
  }
}
