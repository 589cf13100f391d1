import TelecapCapture
import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapWire

/// A touch trace: lines in a file, or datagrams in a recording, each with one such line.
public struct TouchTrace: Sendable {
  /// The default destination port of datagrams with touch samples.
  public static let port: UInt16 = 50_002

  /// A sample.
  public struct Line: Hashable, Sendable {
    /// The due time, in ns since the first sample.
    public var time: Nanoseconds
    /// The line as written.
    public var bytes: [UInt8]
  }

  /// The samples in order of time.
  public private(set) var lines: [Line] = []

  /// The digest by which a plan identifies its trace.
  public var digest: CaptureDigest {
    lines.reduce(into: CaptureDigest()) { digest, line in
      digest.add(time: Timestamp(nanoseconds: line.time), payload: line.bytes.span.bytes)
    }
  }

  /// Reads a trace (JSON Lines), or a capture if the name is that of one (`isCapture`).
  ///
  /// - Parameter port: the destination port of a capture's datagrams with samples.
  /// - Throws: `FileError`, `StoreError` or `CaptureFileError` if the file does not exist; `TouchProblem` with file,
  ///   line and column if it is neither of these.
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

  /// Whether the file at `path` is read as a capture: by the extension of a capture, or of a compressed one.
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

  /// Reads a capture and returns its other contents, as sentences.
  private mutating func read(capture path: String, _ port: UInt16, _ files: RecordingFiles) throws -> [String] {
    var input = try files.recording(path).open()
    var first: Timestamp?
    var lines: [Line] = []
    var others = UnreadTraffic()
    var frames = FrameReader(ports: Ports([]))
    var times = SteadyTimes()
    try input.forEach { header, frame in
      // Place every packet, because the clock may be set back between samples.
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

  /// Writes the trace as a capture: each line as a datagram over loopback, at its time from 0.
  /// - Throws: `StoreError.exists` if the file exists and must not be replaced.
  public func store(
    to path: String, force: Bool, port: UInt16 = TouchTrace.port, ports: Ports, in files: RecordingFiles
  ) throws {
    let flow = Flow(.udp, from: Endpoint(.loopback, port: 49_152), to: Endpoint(.loopback, port: port))
    var list = PacketList(interface: "touch")
    for line in lines { try list.add(line.bytes, flow, at: Timestamp(nanoseconds: line.time)) }
    try files.importing(.packets(list), named: "a touch trace", into: path, force: force, ports: ports)
  }
}
