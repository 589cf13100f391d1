import Foundation
import TelecapCapture
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapStore
import TelecapTestSupport
import TelecapText
import TelecapWire
import Testing

/// The parts of a recording that each format can store, and the notes on the rest.
@Suite("The content of exports") struct ExportedFormatsTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A pcapng file of HAPTICs with these times, the first with this intensity.
  private func pcapng(_ times: [Int64], intensity: Float = 0.5, linkTypes: [UInt16] = [101]) throws -> String {
    var list = PacketList(interface: "test")
    for time in times {
      let flow = Flow(.udp, from: PacketList.host, to: PacketList.phone)
      let bits = withUnsafeBytes(of: intensity.bitPattern.littleEndian) { Array($0) }
      try list.add(hex("54454c450701") + bits + [0, 0], flow, at: Timestamp(nanoseconds: time))
    }
    let path = folder["in.pcapng"]
    var writer = try PcapngWriter(path: path, tool: "t", earliest: Timestamp(nanoseconds: times.min() ?? 0))
    for linkType in linkTypes { try writer.add(Interface(name: "a", linkType: linkType)) }
    try list.forEach { try writer.write($0, $1) }
    try writer.finish()
    return path
  }

  private func times(_ path: String) throws -> [Int64] {
    var reader = try CaptureFileReader(path: path)
    var times: [Int64] = []
    try reader.forEach { header, _ in times.append(header.time.nanoseconds) }
    return times
  }

  private func export(_ path: String, _ body: (PacketExport, CaptureReader) throws -> Void) throws {
    _ = try RecordingFiles.standard.recording(path).withCapture { reader in
      try body(PacketExport(reader, nil, named: path), reader)
    }
  }

  @Test("Times before 1970 are exported unchanged to pcapng, and rejected for pcap")
  func before1970() throws {
    let given: [Int64] = [-2_208_988_800_000_000_000, -1, 0, 1_700_000_000_123_456_789]
    let path = try pcapng(given)
    try export(path) { export, _ in
      try export.writePcapng(to: folder["out.pcapng"], force: false, tool: "t")
      #expect(try times(folder["out.pcapng"]) == given)
      let error = FileError.timeBeyondPcap(path: path, packet: 1, Timestamp(nanoseconds: given[0]))
      #expect(throws: error) { try export.writePcap(to: folder["out.pcap"], force: false) }
      #expect("\(error)" == "\(path): packet 1 is of a time before 1970, which a pcap file cannot store")
      #expect(error.advice == "export it as pcapng")
    }
    #expect(folder.names == ["in.pcapng", "out.pcapng"])
  }

  @Test("Times after 2106 are rejected for pcap, and its last time is exported")
  func after2106() throws {
    let last: Int64 = 4_294_967_295_999_999_999
    for (time, isHeld) in [(last, true), (last + 1, false), (.max, false)] {
      try export(pcapng([0, time])) { export, _ in
        if isHeld {
          try export.writePcap(to: folder["out.pcap"], force: true)
          #expect(try times(folder["out.pcap"]) == [0, time])
        } else {
          #expect(throws: FileError.self) { try export.writePcap(to: folder["out.pcap"], force: true) }
        }
      }
    }
  }

  @Test("The error of two link types in pcap names the input, not the temporary capture")
  func twoLinkTypes() throws {
    let path = try pcapng([0], linkTypes: [101, 1])
    try export(path) { export, reader in
      #expect(reader.path != path)
      #expect(throws: FileError.manyLinkTypes(path: path, [1, 101])) {
        try export.writePcap(to: folder["out.pcap"], force: false)
      }
    }
  }

  @Test("−0.0 stays −0.0 in CSV and JSON, and 0.0 stays 0.0")
  func negativeZero() throws {
    for (intensity, text) in [(-0.0, "-0.0"), (0.0, "0.0"), (-0.5, "-0.5")] as [(Float, String)] {
      try export(pcapng([0], intensity: intensity)) { _, reader in
        let rows = RowExport(reader, where: nil, columns: ["type", "intensity", "seconds"])
        try rows.writeCSV(to: folder["out.csv"], force: true)
        #expect(try TextFile.read(folder["out.csv"]) == "type,intensity,seconds\nHAPTIC,\(text),0.0\n")
        try rows.writeJSON(to: folder["out.jsonl"], force: true)
        #expect(
          try TextFile.read(folder["out.jsonl"]) == "{\"type\":\"HAPTIC\",\"intensity\":\(text),\"seconds\":0.0}\n")
      }
    }
  }

  @Test("−0.0 stays −0.0 in a message in two TCP segments, at any split", arguments: [1, 7, 9, 13])
  func negativeZeroOverTCP(cutAt place: Int) throws {
    let flow = Flow(.tcp, from: PacketList.host, to: PacketList.phone)
    let stream = Bytes.framed(hex("54454c450701 00000080 0000"), hex("54454c450701 00000000 0000"))
    var list = PacketList(interface: "test")
    try list.add(Array(stream[..<place]), flow, at: .zero)
    try list.add(Array(stream[place...]), flow, at: .zero)
    try RecordingFiles.standard.importing(.packets(list), into: folder["a"], force: false, ports: .standard)
    let rows = RowExport(try RecordingFiles.standard.reader(folder["a"]), where: nil, columns: ["type", "intensity"])
    try rows.writeCSV(to: folder["out.csv"], force: true)
    #expect(try TextFile.read(folder["out.csv"]) == "type,intensity\nHAPTIC,-0.0\nHAPTIC,0.0\n")
  }

  @Test(
    "A float is a number in a condition, even when compared with text of digits",
    arguments: ["intensity > 0.4", "intensity > '0.4'"])
  func floatsInConditions(_ condition: String) throws {
    try export(pcapng([0, 1])) { _, reader in
      let (chosen, others) = (
        try reader.select(where: condition), try reader.select(where: condition.replacing("4", with: "6"))
      )
      #expect(chosen.count == 2 && others.count == 0)
    }
  }

  @Test("A dangling link is followed and stays, and links in a circle are rejected")
  func danglingLinks() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder["sub"], withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: folder["sub/a"], withDestinationPath: "../b")
    try manager.createSymbolicLink(atPath: folder["b"], withDestinationPath: folder["new"])
    #expect(try pcapng([0]) == folder["in.pcapng"])
    try Output.write("x", to: folder["sub/a"], force: false)
    #expect(try TextFile.read(folder["new"]) == "x")
    #expect(try manager.destinationOfSymbolicLink(atPath: folder["sub/a"]) == "../b")
    unlink(folder["new"])
    let recording = try RecordingFiles.standard.recording(folder["in.pcapng"])
    _ = try RecordingFiles.standard.importing(recording, into: folder["sub/a"], force: false)
    #expect(try CaptureFile.isSQLite(folder["new"]))
    #expect(try manager.destinationOfSymbolicLink(atPath: folder["b"]) == folder["new"])
    #expect(folder.names == ["b", "in.pcapng", "new", "sub"])
    #expect(SameFile(among: [], to: [("--html", folder["sub/a"]), ("--json", folder["new"])]) != nil)
    try manager.createSymbolicLink(atPath: folder["x"], withDestinationPath: "y")
    try manager.createSymbolicLink(atPath: folder["y"], withDestinationPath: "x")
    #expect(throws: FileError.self) { try Output.write("x", to: folder["x"]) }
    #expect(throws: StoreError.self) {
      try RecordingFiles.standard.importing(recording, into: folder["x"], force: false)
    }
  }

  @Test("A folder as input is an error at opening (status 66), for every reader")
  func folderAsInput() throws {
    let path = folder.path
    let reason = ErrnoError(number: EISDIR)
    do {
      _ = try CaptureFileReader(path: path)
      Issue.record("it was opened")
    } catch {
      #expect(error == .cannotOpen(path: path, reason))
    }
    do {
      _ = try FileInput(path: path)
      Issue.record("it was opened")
    } catch {
      #expect(error == .noInput(path: path, reason))
    }
    #expect(throws: FileError.noInput(path: path, reason)) { try TextFile.read(path) }
  }

  @Test("Standard output has several names, and file endings may be in capitals")
  func names() {
    #expect(["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].allSatisfy(StandardOutput.isNamed))
    let numbers: [(String, Int32?)] = [
      ("/dev/stderr", 2), ("/dev/fd/2", 2), ("/proc/self/fd/37", 37), ("/dev/fd/", nil), ("/dev/fd/01", nil),
      ("/dev/fd/-1", nil), ("/dev/fd/+1", nil), ("/dev/fd/1/a", nil), ("/dev/fd/99999999999", nil), ("dev/fd/1", nil),
    ]
    for (path, number) in numbers { #expect(Descriptor.number(namedBy: path) == number, "\(path)") }
    #expect(!StandardOutput.isNamed("stdout") && SameFile(among: [], to: [("--output", "/dev/stdout")]) == nil)
    #expect("SESSION.PCAP".hasEnding(".pcap") && "a.PcapNG".hasEnding(".pcapng") && !"pcap".hasEnding(".pcap"))
    #expect(CaptureName.problem("a.PCAPNG") != nil && CaptureName.problem("/dev/stdout") != nil)
    #expect(Numbers.counted(1, "packet") == "1 packet" && Numbers.counted(0, "packet") == "0 packets")
    #expect(
      Numbers.counted(1_234, "packet") == "1,234 packets" && Numbers.counted(2, "entry", "entries") == "2 entries")
  }
}
