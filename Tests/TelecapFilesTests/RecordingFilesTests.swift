import TelecapCapture
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapStore
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@Suite struct RecordingFilesTests {
  let folder: Folder
  let files = RecordingFiles.standard

  init() throws { folder = try Folder() }

  private func payloads(_ recording: Recording) throws -> [[UInt8]] {
    var input = try recording.open()
    var payloads: [[UInt8]] = []
    try input.forEach { header, frame in
      guard case .payload(let payload) = FrameDecoder.decode(frame, header) else { return }
      payloads.append(frame.extracting(payload.range).withUnsafeBytes { Array($0) })
    }
    return payloads
  }

  /// The session as a capture.
  private func capture() throws -> String {
    let path = folder["session.telecap"]
    try files.importing(.packets(.session()), named: "a test", into: path, force: true, ports: .standard)
    return path
  }

  @Test("Memory, a capture and a file give the same packets")
  func open() throws {
    let expected = [Bytes.hello, Bytes.ack, Bytes.pose(1), Bytes.pose(2), Bytes.pose(3)]
    #expect(try payloads(files.recording(.session(), ports: .standard)) == expected)
    let path = try capture()
    #expect(try payloads(files.recording(path)) == expected)
    let file = folder["session.pcapng"]
    try PacketExport(files.reader(path), nil).writePcapng(to: file, force: false, tool: "test")
    #expect(try payloads(files.recording(file)) == expected)
    #expect(throws: StoreError.missing(path: folder["none"])) { _ = try files.recording(folder["none"]).open() }
  }

  @Test("An import counts its packets, and stores its source and command")
  func importing() throws {
    let path = folder["session.telecap"]
    let ports = Ports.standard.with(["mouse-udp": 9])
    let imported = try files.importing(.packets(.session()), named: "a test", into: path, force: false, ports: ports)
    #expect(imported.damage == nil && imported.summary.packets == 5 && imported.summary.count(of: .pose) == 3)
    let info = try files.reader(path).info()
    #expect(info.source == "a test" && info.version == "0" && info.host == "here" && info.commandLine == "telecap test")
    #expect(info.started == Timestamp(nanoseconds: 7) && info.ended == Timestamp(nanoseconds: 7))
    #expect(try files.recording(path).ports == ports)
    #expect(try files.reader(path).interfaces().map(\.name) == ["test"])
    #expect(throws: StoreError.exists(path: path)) {
      try files.importing(.packets(.session()), into: path, force: false, ports: ports)
    }
  }

  @Test("The packets before the damage in a file are imported, and the damage is reported")
  func damage() throws {
    let whole = folder["whole.pcapng"]
    try PacketExport(files.reader(capture()), nil).writePcapng(to: whole, force: false, tool: "test")
    let bytes = try [UInt8](file: whole)
    let broken = try folder.write(Array(bytes.dropLast(100)), to: "broken.pcapng")
    let path = folder["broken.telecap"]
    let imported = try files.importing(.path(broken), into: path, force: false, ports: .standard)
    let damage = try #require(imported.damage)
    #expect(damage.reason is CaptureFileError)
    #expect((1..<5).contains(imported.summary.packets))
    #expect(try files.reader(path).info().damage == damage.description)
    #expect(try files.recording(broken).summary().damage?.description == damage.description)
    #expect(try files.recording(broken).ports == .standard)
  }

  @Test("Only an error of the data counts as damage")
  func damageOfData() throws {
    struct Other: Error {}
    let truncated = CaptureFileError.truncated(path: "x", offset: 7, .block, needed: 2, had: 1)
    #expect(try Damage.ending { throw truncated }?.reason as? CaptureFileError == truncated)
    #expect(try Damage.ending { throw StoreError.empty(path: "x") } != nil)
    #expect(throws: StoreError.busy(path: "x")) { try Damage.ending { throw StoreError.busy(path: "x") } }
    #expect(throws: Other.self) { try Damage.ending { throw Other() } }
    #expect(try Damage.ending({ throw Other() }, or: { $0 is Other }) != nil)
    #expect(try Damage.ending {} == nil)
  }

  @Test("SQL selects packets of any recording, except standard input")
  func choosing() throws {
    let list = try PacketList.session()
    let path = try capture()
    for recording in [files.recording(list, ports: .standard), try files.recording(path)] {
      let chosen = try recording.packets(where: "type = 'POSE' AND seq > 1")
      #expect((1...6).filter { chosen.contains($0) } == [4, 5])
      #expect(throws: StoreError.self) { try recording.packets(where: "nonsense") }
    }
    #expect(throws: FileError.standardInputOnce) { try files.recording("-").packets(where: "1") }
  }

  @Test("Counts of dropped packets are clamped at the maximum")
  func drops() throws {
    var writer = try PcapngWriter(path: folder["in"], tool: "test")
    for name in ["a", "b"] { try writer.add(Interface(name: name, linkType: 1)) }
    var statistics = CaptureFileReader.Statistics()
    (statistics.received, statistics.droppedByKernel, statistics.droppedByInterface) = (.max, .max, .max)
    for interface in 0..<2 { try writer.write(statistics, interface: interface, time: .zero) }
    try writer.finish()
    try files.importing(.path(folder["in"]), into: folder["drops.telecap"], force: false, ports: .standard)
    let reader = try CaptureReader(path: folder["drops.telecap"], files.schema)
    #expect(try reader.info().dropped == DropCounts(kernel: .max, interface: .max))
    #expect(try reader.info().dropped.total == .max)
    try PacketExport(reader, nil).writePcapng(to: folder["out"], force: false, tool: "test")
  }

  @Test("Missing messages are derived, by the ports of the capture")
  func deriving() throws {
    let path = folder["raw.telecap"]
    let info = files.maker.info(source: "x", clock: "none", ports: Ports.standard.with(["tele-udp": 50_010]))
    let writer = try CaptureWriter(creating: path, info, files.schema, force: false)
    let list = try PacketList.session(port: 50_010)
    try writer.add(list.interface)
    try list.forEach { try writer.add($0, $1) }
    try writer.finish(ended: .zero)
    #expect(try files.reader(path).needsDissection())
    let summary = try files.recording(path).summary()
    #expect(summary.summary.isDissected && summary.underived == nil)
    #expect(summary.summary.types.map(\.type) == ["HELLO", "ACK", "POSE"])
    #expect(try !files.reader(path).needsDissection())
    let again = try files.derive(path)
    #expect(again.packets == 5 && again.total == 5)
  }

  @Test("A capture that is still being recorded can be queried, and nothing is written to it")
  func living() throws {
    let path = folder["living.telecap"]
    let info = files.maker.info(source: "x", clock: "none", ports: .standard)
    let writer = try CaptureWriter(creating: path, info, files.schema, force: false)
    let list = try PacketList.session()
    try writer.add(list.interface)
    try list.forEach { try writer.add($0, $1) }
    try writer.flush()
    let recording = try files.recording(path)
    let chosen = try recording.packets(where: "type = 'POSE'")
    #expect((1...5).contains { chosen.contains($0) })
    #expect(try recording.withCapture { try $0.summary() }.0.types.map(\.type) == ["HELLO", "ACK", "POSE"])
    let underived = try #require(recording.summary().underived)
    #expect("\(underived)" == "\(path): its packets only: it is being recorded; ask again when that is done")
    // Somebody else has the file: what was to be derived is counted, as at the end of a recording.
    #expect(throws: StoreError.busy(path: path)) { try files.derive(path) }
    #expect(try files.deriveOrCount(path).total == 5)
    try writer.finish(ended: .zero)
    #expect(try files.reader(path).needsDissection())
    #expect(try files.deriveOrCount(path).total == 5)
    #expect(try !files.reader(path).needsDissection())
  }

  @Test("Messages are derived by the capture's own declaration, too")
  func derivingDeclared() throws {
    let text = """
      protocol: toy
      carriers: [{name: udp, over: udp, port: 50000}]
      messages: [{name: ANY, from: client, fields: [{name: first, type: u8}]}]
      """
    let toy = try ProtocolFile.read(text, file: "toy.yaml")
    let making = RecordingFiles(builtIn: [], declared: [toy], maker: files.maker) { _, _, _ in toy }
    let path = folder["toy.telecap"]
    let list = try PacketList.session()
    let info = files.maker.info(source: "x", clock: "none", ports: Ports([toy]))
    let writer = try CaptureWriter(creating: path, info, making.schema, force: false)
    try writer.add(list.interface)
    try list.forEach { try writer.add($0, $1) }
    try writer.finish(ended: .zero)
    _ = try files.recording(path).summary()
    #expect(try !files.reader(path).needsDissection())
    let again = try files.derive(path)
    #expect(again.rows.map(\.type) == ["ANY"] && again.total == 5)
    #expect(try files.reader(path).schema.protocols.map(\.name) == ["toy"])
  }

  @Test("A capture is read by its stored declarations, except for loaded and built-in protocols")
  func declarations() throws {
    // Reading a stored declaration is asked for by name and place.
    let asked = RecordingFiles(
      builtIn: [], declared: [], maker: files.maker,
      reading: { text, place, _ in throw Asked(text: text, place: place) })
    let path = try capture()
    let error = #expect(throws: Asked.self) { try asked.reader(path) }
    #expect(error?.place == "\(path), protocol tele" && error?.text.isEmpty == false)
    #expect(try files.reader(path).schema.protocols.map(\.name) == ["tele", "mouse"])
    #expect(try files.recording(path).protocols.map(\.name) == ["tele", "mouse"])
  }

  struct Asked: Error {
    var text: String
    var place: String
  }
}
