import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapReport
import TelecapTransport
import TelecapText

/// What a replay came to: everything that is printed at its end.
struct ReplayReport {
  /// The recording, and whose packets of it.
  var source: ReplaySource
  /// What the plan was made from.
  var header: PlanHeader
  /// Where the packets went, in words.
  var destination: String
  /// What reading and planning came to.
  var fed: UnitFeeder.Fed
  /// How often the recording was run, and whether to its end.
  var runs = 1
  var outcome = ReplayOutcome.done
  /// Packets sent, over all runs.
  var packets = 0
  /// What the sockets came to; nil for a model.
  var sending: Sending?
  /// What came back, by type.
  var replies: [(name: String, count: Int)] = []
  /// What was judged; nil when the receiver is none of ours.
  var oracle: Oracle?
  /// How old what the receiver went by was, while the recording ran.
  var staleness: Staleness?

  /// What the sockets of a replay came to.
  struct Sending {
    var datagrams: DatagramCounts
    var streams: (count: Int, bytes: Int)
    var streamErrors: [SocketError]
    var lateness: Lateness
    /// How long the runs took, each from its first packet to its last, in ns.
    var time: Int64

    /// Packets a second; nil when there were too few to tell.
    func rate(_ packets: Int) -> Double? { packets > 1 && time > 0 ? Double(packets) * 1e9 / Double(time) : nil }
  }

  /// Prints the report on stdout.
  func print(_ format: OutputFormat) throws {
    var output = Output()
    switch format {
    case .text: for line in text(style: Console.style(for: 1)) { try output.line(line) }
    case .json:
      var json = JSONWriter()
      write(to: &json)
      try output.take(&json)
    }
    try output.flush()
  }

  // MARK: Text

  private func text(style: Style) -> [String] {
    var lines = [
      "replay    \(source.role.rawValue) of \(source.name) to \(destination)",
      "plan      \(fed.planDigest?.description ?? "not finished"), seed \(header.seed), speed \(header.speed)"
        + (runs == 1 ? "" : ", \(Numbers.grouped(runs)) times") + (outcome == .stopped ? ", stopped" : ""),
    ]
    lines += sending.map(sendingText) ?? ["sent      \(Numbers.grouped(packets)) packets in virtual time"]
    for rate in fed.rates.account(of: header.impairments) { lines.append("impaired  \(rate)") }
    if fed.rates.droppedByHand > 0 {
      lines.append("impaired  left out by the plan: \(Numbers.grouped(fed.rates.droppedByHand))")
    }
    if !replies.isEmpty || sending != nil {
      let named = replies.map { "\($0.name) \(Numbers.grouped($0.count))" }
      lines.append("replies   " + (named.isEmpty ? "none" : named.joined(separator: ", ")))
    }
    return lines + (oracle.map { VerdictText.lines($0, staleness, style: style) } ?? [])
  }

  private func sendingText(_ sending: Sending) -> [String] {
    let counts = sending.datagrams
    var lines = ["sent      \(Numbers.grouped(counts.sent)) datagrams, \(Numbers.grouped(counts.bytes)) bytes"]
    if sending.streams.count > 0 {
      lines[0] +=
        "; \(Numbers.grouped(sending.streams.count)) TCP streams, \(Numbers.grouped(sending.streams.bytes)) bytes"
    }
    lines[0] += " in \(Numbers.time(sending.time))"
    if let rate = sending.rate(packets) { lines[0] += ", \(Numbers.fixed(rate, rate < 1000 ? 2 : 0)) packets/s" }
    if counts.failed > 0 {
      lines.append(
        "failed    \(Numbers.grouped(counts.failed)) datagrams: \(SocketError.words(for: counts.lastError))")
    }
    if counts.refused > 0 {
      lines.append("refused   \(Numbers.grouped(counts.refused)) times: nobody listens at the port")
    }
    if counts.unreachable > 0 { lines.append("refused   \(Numbers.grouped(counts.unreachable)) times: unreachable") }
    for error in sending.streamErrors.prefix(4) { lines.append("failed    \(error)") }
    if header.speed != .max { lines.append("lateness  \(latenessText(sending.lateness))") }
    return lines
  }

  private func latenessText(_ late: Lateness) -> String {
    let times = [("p50", late.p50), ("p95", late.p95), ("p99", late.p99), ("max", late.max)]
    return times.map { "\($0.0) \(Numbers.time($0.1))" }.joined(separator: ", ")
      + "; drift \(Numbers.fixed(late.driftPPM, 2)) ppm"
  }

  // MARK: JSON

  private func write(to json: inout JSONWriter) {
    json.beginObject()
    json.put("capture", source.name)
    json.put("capture_digest", header.capture)
    json.put("as", source.role.rawValue)
    json.put("to", destination)
    json.put("seed", header.seed)
    if let digest = fed.planDigest { json.put("plan_digest", digest.description) } else { json.putNull("plan_digest") }
    json.put("where", header.selection)
    json.put("impairments", header.impairments.description)
    json.put("speed", header.speed.description)
    json.put("runs", runs)
    json.put("stopped", outcome == .stopped)
    json.put("packets", packets)
    if let sending { write(sending, to: &json) }
    json.beginArray("rates")
    for rate in fed.rates.account(of: header.impairments) { write(rate, to: &json) }
    json.endArray()
    json.beginObject("replies")
    for reply in replies {
      json.key(reply.name)
      json.put(nil, reply.count)
    }
    json.endObject()
    if let oracle { VerdictText.write(oracle, staleness, to: &json) }
    json.endObject()
    json.endLine()
  }

  private func write(_ sending: Sending, to json: inout JSONWriter) {
    json.beginObject("sent")
    json.put("datagrams", sending.datagrams.sent)
    json.put("bytes", sending.datagrams.bytes)
    json.put("failed", sending.datagrams.failed)
    json.put("refused", sending.datagrams.refused)
    json.put("unreachable", sending.datagrams.unreachable)
    json.put("streams", sending.streams.count)
    json.put("stream_bytes", sending.streams.bytes)
    json.put("time_ns", sending.time)
    json.endObject()
    if let rate = sending.rate(packets) { json.put("rate_sent", rate) }
    json.beginObject("lateness_ns")
    json.put("p50", sending.lateness.p50)
    json.put("p95", sending.lateness.p95)
    json.put("p99", sending.lateness.p99)
    json.put("max", sending.lateness.max)
    json.endObject()
    json.put("drift_ppm", sending.lateness.driftPPM)
  }

  private func write(_ rate: AppliedRate, to json: inout JSONWriter) {
    json.beginObject()
    json.put("impairment", rate.impairment)
    json.put("asked", rate.asked)
    if let expected = rate.expected { json.put("expected", expected) }
    json.put("came_out", rate.cameOut)
    json.put("count", rate.count)
    json.put("total", rate.total)
    json.endObject()
  }
}
