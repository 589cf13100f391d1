import TelecapCapture
import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapModels
import TelecapProtocols
import TelecapRecording

/// A touch trace: lines in a file, or datagrams in a recording, each of which holds such a line.
struct TouchTrace {
  /// Where datagrams with touch samples go, unless another port is named.
  static let port: UInt16 = 50_002

  /// A sample as it was written, and when it is due, in ns since the first.
  struct Line {
    var time: Int64
    var bytes: [UInt8]
  }

  /// In order of time.
  private(set) var lines: [Line] = []

  /// By which a plan knows its trace.
  var digest: CaptureDigest {
    lines.reduce(into: CaptureDigest()) { digest, line in
      digest.add(time: Timestamp(nanoseconds: line.time), payload: line.bytes.span.bytes)
    }
  }

  /// Reads a trace (JSON Lines) or a capture (.telecap, pcap, pcapng).
  /// - Throws: `Failure` 66 when there is no such file, 65 with file, line and column when it is none of these.
  init(path: String, port: UInt16) throws {
    let isCapture = path.hasSuffix(".telecap") || path.hasSuffix(".pcap") || path.hasSuffix(".pcapng")
    if isCapture { try read(capture: path, port) } else { try read(text: path) }
    guard !lines.isEmpty else {
      guard isCapture else { throw Failure(.data, "\(path): no touch sample") }
      throw Failure(
        .data, "\(path): no touch sample",
        advice: "samples are datagrams to port \(port); name another with --touch-udp")
    }
  }

  private mutating func read(text path: String) throws {
    let bytes = try TextFile.bytes(path)
    do throws(TouchFileError) {
      lines = try TouchSample.trace(bytes).map { Line(time: $0.time, bytes: Array($0.line.utf8)) }
    } catch {
      throw Failure(.data, "\(path):\(error)")
    }
    let first = lines.first?.time ?? 0
    for index in lines.indices { lines[index].time -= first }
  }

  private mutating func read(capture path: String, _ port: UInt16) throws {
    var input = try Loaded.files.open(.path(path))
    var first: Timestamp?
    var lines: [Line] = []
    try input.forEach { header, frame in
      guard case .payload(let payload) = FrameDecoder.decode(frame, header), payload.flow.carrier == .udp,
        payload.flow.destination.port == port, payload.missing == 0
      else { return }
      let begin = first ?? header.time
      first = begin
      let bytes = frame.extracting(payload.range).withUnsafeBytes { Array($0) }
      lines.append(Line(time: max(0, header.time.nanoseconds(since: begin)), bytes: bytes))
    }
    self.lines = lines
  }

  /// Writes it as a capture: each line as a datagram over loopback, at its time from 0.
  /// - Throws: `Failure` 73 when the file exists and is not to be replaced.
  func store(to path: String, force: Bool, port: UInt16) throws {
    let flow = Flow(.udp, from: Endpoint(.loopback, port: 49_152), to: Endpoint(.loopback, port: port))
    var list = PacketList(interface: "touch")
    for line in lines { try list.add(line.bytes, flow, at: Timestamp(nanoseconds: line.time)) }
    try Loaded.files.importing(.packets(list), named: "a touch trace", into: path, force: force, ports: Loaded.ports)
  }
}
