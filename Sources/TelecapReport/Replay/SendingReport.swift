import TelecapRecording
import TelecapText

/// The result of the sockets of a replay.
public struct SendingReport: Hashable, Sendable {
  /// Datagrams that the system took, and their payload bytes.
  public var sent = 0, bytes = 0
  /// Datagrams that could not be sent, and why the last of them could not.
  public var failed = 0, lastFailure = ""
  /// Answers of the network that nobody listens at the port, and that there is no way.
  public var refused = 0, unreachable = 0
  /// Streams opened, and the bytes sent on them.
  public var streams = 0, streamBytes = 0
  /// The errors of streams, in sentences.
  public var streamErrors: [String] = []
  /// The send timing error of packets, in ns.
  public var p50: Nanoseconds = 0, p95: Nanoseconds = 0, p99: Nanoseconds = 0, latest: Nanoseconds = 0
  /// By how much sending ran slower than the plan, in millionths.
  public var driftPPM = 0.0
  /// How long the runs took, each from its first packet to its last, in ns.
  public var time: Nanoseconds = 0

  /// Nothing yet.
  public init() {}

  /// All datagrams that were to be sent.
  public var datagrams: Int { sent + failed }
  /// How many of them are known not to have got there: they could not be sent, or were answered by the network.
  public var lost: Int { min(datagrams, failed + refused + unreachable) }
  /// Whether all is known to have been lost.
  public var isAllLost: Bool {
    datagrams + streams > 0 && lost == datagrams && streamErrors.count >= streams && streamBytes == 0
  }

  /// Packets a second; nil when there were too few.
  private func rate(_ packets: Int) -> Double? {
    packets > 1 && time > 0 ? Double(packets) * 1e9 / Double(time) : nil
  }

  /// The line about a replay that sent so many packets.
  func sum(packets: Int) -> String {
    var line = "sent      \(Numbers.counted(sent, "datagram")), \(Numbers.counted(bytes, "byte"))"
    if streams > 0 {
      line += "; \(Numbers.counted(streams, "TCP stream")), \(Numbers.counted(streamBytes, "byte"))"
    }
    line += " in \(Numbers.fixed(Double(time) / 1e9, 3)) s"
    if let rate = rate(packets) { line += ", \(Numbers.fixed(rate, rate < 1000 ? 2 : 0)) packets/s" }
    return line
  }

  /// The lines about packets that could not be sent.
  var problems: [String] {
    var lines: [String] = []
    if failed > 0 { lines.append("failed    \(Numbers.counted(failed, "datagram")): \(lastFailure)") }
    if refused > 0 { lines.append("refused   \(Numbers.grouped(refused)) times: nobody listens at the port") }
    if unreachable > 0 { lines.append("refused   \(Numbers.grouped(unreachable)) times: unreachable") }
    for error in streamErrors.prefix(4) { lines.append("failed    \(error)") }
    return lines
  }

  /// Whether a packet was so late that it may matter: later than a receiver has time to show a value.
  var isLate: Bool { latest > 50_000_000 }

  /// The line about the send timing error.
  var timing: String {
    let times = [("p50", p50), ("p95", p95), ("p99", p99), ("max", latest)]
    return "timing    error " + times.map { "\($0.0) \(Numbers.time($0.1))" }.joined(separator: ", ")
      + "; drift \(Numbers.fixed(driftPPM, 2)) ppm"
  }

  /// The same as members of the object that is open.
  func write(packets: Int, to json: inout JSONWriter) {
    json.beginObject("sent")
    json.put("datagrams", sent)
    json.put("bytes", bytes)
    json.put("failed", failed)
    json.put("refused", refused)
    json.put("unreachable", unreachable)
    json.put("streams", streams)
    json.put("stream_bytes", streamBytes)
    json.put("time_ns", time)
    json.endObject()
    if let rate = rate(packets) { json.put("rate_sent", rate) }
    json.beginObject("lateness_ns")
    json.put("p50", p50)
    json.put("p95", p95)
    json.put("p99", p99)
    json.put("max", latest)
    json.endObject()
    json.put("drift_ppm", driftPPM)
  }
}
