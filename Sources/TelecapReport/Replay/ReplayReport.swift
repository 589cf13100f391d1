import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapText
import TelecapWire

/// The result of a replay: everything that is printed at its end.
public struct ReplayReport: Sendable {
  /// The name of the recording.
  public var recording: String
  /// The side whose packets were sent.
  public var role: Role
  /// The parameters of the plan.
  public var header: PlanHeader
  /// The destination of the packets, in words.
  public var destination: String
  /// The rates of the plan's impairments, over all runs.
  public var rates = AppliedRates()
  /// The options without effect, a sentence each.
  public var idle: [String] = []
  /// The fingerprint of the plan's text; nil when it was not finished.
  public var planDigest: CaptureDigest?
  /// How often the recording was run.
  public var runs = 1
  /// Whether the user stopped it before its end.
  public var isStopped = false
  /// Packets sent, over all runs.
  public var packets = 0
  /// The result of the sockets; nil for a model.
  public var sending: SendingReport?
  /// Datagrams that came faster than a receiver of ours took them, so that the kernel dropped them.
  public var droppedByKernel = 0
  /// The replies, by type.
  public var replies: [(name: String, count: Int)] = []
  /// The messages by kind, and their fates; nil where nothing was sent.
  public var messages: PlannedMessages?
  /// The verdicts; nil for a receiver that telecap cannot observe.
  public var oracle: Oracle?
  /// The age of the applied values, while the recording ran.
  public var staleness: Staleness?

  /// A report of nothing yet.
  public init(_ recording: String, as role: Role, _ header: PlanHeader, to destination: String) {
    (self.recording, self.role, self.header, self.destination) = (recording, role, header, destination)
  }

  // MARK: Text

  /// The report as a person reads it: the run, its network, the messages, their age and the verdicts. The quiet form has
  /// only problems, failures and the verdict.
  public func text(style: Style, verbosity: Verbosity = .normal) -> [String] {
    // Names of files, and of messages that a file declares, are not ours.
    let problems = self.problems.map(\.printable)
    let verdicts = oracle.map { VerdictText.lines($0, on: destination, style, verbosity) } ?? []
    if verbosity == .quiet { return problems + verdicts }
    var lines = run(verbosity).map(\.printable) + problems
    if let grid = grid?.lines, !grid.isEmpty { lines += [""] + grid }
    if let age = VerdictText.age(staleness) { lines += ["", age] }
    return lines + (verdicts.isEmpty ? [] : [""]) + verdicts
  }

  /// The messages by kind; nil for an unobserved receiver of a replay that was stopped: it is unknown which were sent.
  public var grid: MessageGrid? {
    guard let messages, oracle != nil || !isStopped else { return nil }
    return MessageGrid(messages, oracle?.received)
  }

  /// The lines about the run: source, plan, network and sent packets.
  private func run(_ verbosity: Verbosity) -> [String] {
    var lines = [
      "replay    \(role) of \(recording) to \(destination)",
      "plan      \(planDigest?.description ?? "not finished"), seed \(header.seed), speed \(header.speed)"
        + (runs == 1 ? "" : ", \(Numbers.grouped(runs)) times") + (isStopped ? ", stopped" : ""),
    ]
    for rate in rates.account(of: header.impairments) { lines.append("network   \(rate)") }
    for note in idle { lines.append("idle      \(note)") }
    if rates.droppedByHand > 0 {
      lines.append("network   dropped by the edited plan: \(Numbers.grouped(rates.droppedByHand))")
    }
    if let sending {
      lines.append(sending.sum(packets: packets))
      if header.speed != .max, verbosity == .verbose || sending.isLate { lines.append(sending.timing) }
    } else {
      lines.append("sent      \(Numbers.counted(packets, "packet")) in virtual time")
    }
    if !replies.isEmpty || sending != nil {
      let named = replies.map { "\($0.name) \(Numbers.grouped($0.count))" }
      lines.append("replies   " + (named.isEmpty ? "none" : named.joined(separator: ", ")))
    }
    return lines
  }

  /// Packets that could not be sent or received.
  private var problems: [String] {
    var lines = sending?.problems ?? []
    if droppedByKernel > 0 {
      lines.append(
        "dropped   \(Numbers.grouped(droppedByKernel)) by the kernel: they came faster than our \(role.receiver) took them"
      )
    }
    return lines
  }

  // MARK: JSON

  /// The report as a line of JSON.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    json.put("capture", recording)
    json.put("capture_digest", header.capture)
    json.put("as", role.name)
    json.put("to", destination)
    json.put("seed", header.seed)
    if let digest = planDigest { json.put("plan_digest", digest.description) } else { json.putNull("plan_digest") }
    json.put("where", header.selection)
    json.put("impairments", header.impairments.description)
    json.put("speed", header.speed.description)
    json.put("runs", runs)
    json.put("stopped", isStopped)
    json.put("packets", packets)
    sending?.write(packets: packets, to: &json)
    json.beginArray("rates")
    for rate in rates.account(of: header.impairments) { write(rate, to: &json) }
    json.endArray()
    if !idle.isEmpty {
      json.put("idle", texts: idle)
    }
    if droppedByKernel > 0 { json.put("dropped_kernel", droppedByKernel) }
    json.beginObject("replies")
    for reply in replies {
      json.key(reply.name)
      json.put(nil, reply.count)
    }
    json.endObject()
    grid?.write(to: &json)
    if let oracle { VerdictText.write(oracle, staleness, to: &json) }
    json.endObject()
    json.endLine()
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
