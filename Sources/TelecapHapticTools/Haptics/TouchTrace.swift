import TelecapCapture
import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapWire

/// A touch trace: lines in a file, or datagrams in a recording, each of which holds such a line.
public struct TouchTrace: Sendable {
  /// Where datagrams with touch samples go, unless another port is named.
  public static let port: UInt16 = 50_002

  /// A sample.
  public struct Line: Hashable, Sendable {
    /// When it is due, in ns since the first.
    public var time: Nanoseconds
    /// As it was written.
    public var bytes: [UInt8]
  }

  /// In order of time.
  public private(set) var lines: [Line] = []

  /// By which a plan knows its trace.
  public var digest: CaptureDigest {
    lines.reduce(into: CaptureDigest()) { digest, line in
      digest.add(time: Timestamp(nanoseconds: line.time), payload: line.bytes.span.bytes)
    }
  }

  /// Reads a trace (JSON Lines), or a capture where the name is that of one (`isCapture`).
  ///
  /// - Parameter port: where a capture's datagrams with samples go.
  /// - Throws: `FileError`, `StoreError` or `CaptureFileError` when there is no such file; `TouchProblem` with file, line and
  ///   column when it is none of these.
  public init(path: String, port: UInt16 = TouchTrace.port, in files: RecordingFiles) throws {
    let isCapture = TouchTrace.isCapture(path)
    guard isCapture else {
      try read(text: path)
      if lines.isEmpty { throw TouchProblem.noSample(path: path, nil) }
      return
    }
    let others = try read(capture: path, port, files)
    if lines.isEmpty { throw TouchProblem.noSample(path: path, TouchProblem.Missing(port: port, others: others)) }
  }

  /// Whether the file at `path` is read as a capture: its name ends like one's, or like a compressed one's.
  public static func isCapture(_ path: String) -> Bool {
    let packed = [".gz", ".zst"].first { path.hasSuffix($0) }
    return [".telecap", ".pcap", ".pcapng", ".snoop"].contains { path.dropLast(packed?.count ?? 0).hasSuffix($0) }
  }

  private mutating func read(text path: String) throws {
    let bytes = try TextFile.bytes(path)
    do throws(TouchFileError) {
      lines = try TouchSample.trace(bytes).map { Line(time: $0.time, bytes: Array($0.line.utf8)) }
    } catch {
      throw TouchProblem.wrongFile(path: path, error)
    }
    let first = lines.first?.time ?? 0
    for index in lines.indices { lines[index].time -= first }
  }

  /// Returns what else the capture holds, in sentences.
  private mutating func read(capture path: String, _ port: UInt16, _ files: RecordingFiles) throws -> [String] {
    var input = try files.recording(path).open()
    var first: Timestamp?
    var lines: [Line] = []
    var others = UnreadTraffic()
    var frames = FrameReader(ports: Ports([]))
    var times = SteadyTimes()
    try input.forEach { header, frame in
      // Each packet counts, since the clock may be set back between samples.
      let time = times.place(header).header.time
      let reading = frames.read(frame, header)
      guard case .payload(let payload) = reading.content, payload.flow.carrier == .udp,
        payload.flow.destination.port == port, payload.missing == 0
      else { return others.count(reading.content, besides: Ports([])) }
      let begin = first ?? time
      first = begin
      let bytes = reading.withBytes(of: frame) { $0.extracting(payload.range).withUnsafeBytes { Array($0) } }
      lines.append(Line(time: max(0, time.nanoseconds(since: begin)), bytes: bytes))
    }
    self.lines = lines
    let ports = others.portsInWords
    return (ports.isEmpty ? [] : ["there is traffic at \(ports)"]) + others.linkTypeNotes + others.encapsulationNotes
  }

  /// Writes it as a capture: each line as a datagram over loopback, at its time from 0.
  /// - Throws: `StoreError.exists` when the file is there and is not to be replaced.
  public func store(
    to path: String, force: Bool, port: UInt16 = TouchTrace.port, ports: Ports, in files: RecordingFiles
  ) throws {
    let flow = Flow(.udp, from: Endpoint(.loopback, port: 49_152), to: Endpoint(.loopback, port: port))
    var list = PacketList(interface: "touch")
    for line in lines { try list.add(line.bytes, flow, at: Timestamp(nanoseconds: line.time)) }
    try files.importing(.packets(list), named: "a touch trace", into: path, force: force, ports: ports)
  }
}
