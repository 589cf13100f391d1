import TelecapConformance
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapText
import TelecapWire

/// The reason why a request cannot be performed.
public enum ReplayProblem: Advising, Hashable, Sendable {
  /// A replay reads its recording twice, which standard input and pipes do not allow.
  case standardInput
  /// The recording has no packet of a side that sends; the notes list its unread parts.
  case nobody(recording: String, of: [Role], notes: [String])
  /// There is no such role in the recording's protocols or in other loaded ones.
  case noRole(String, among: [Role])
  /// The recording has no packet of this side in the requested time; the notes list its unread or skipped parts.
  case nothing(recording: String, Role, notes: [String])
  /// The messages of this side are not for that receiver.
  case otherReceiver(sender: Role, receiver: Role)
  /// The messages of this side are not for that system.
  case otherSystem(sender: Role, system: String)
  /// Such a receiver receives no stream.
  case nothingToJudge(Role)
  /// The system does not support the recording, for this reason.
  case cannotTake(system: String, reason: String)
  /// A code was given for a system that has its own.
  case otherCode(String, system: String, takes: String)
  /// There is no such system.
  case noSystem(String)
  /// Such a system has no file whose rules can be checked.
  case noFile(system: String)
  /// Each of these options matches scenarios, but together they leave none.
  case noneLeft(by: [String])
  /// Cases of this system cannot run in parallel, for this reason.
  case standsAlone(system: String, reason: String)
  /// No chosen scenario is for this system.
  case noCase(system: String)
  /// A scenario has more than the maximum number of cases with this number of seeds.
  case tooManyCases(scenario: String, cases: Int, seeds: Int)
  /// The pattern of this option matches no scenario; this was probably meant.
  case noMatch(option: String, glob: String, nearest: String?)
  /// There is no folder of scenarios at the default locations.
  case noScenarioFolder
  /// The folder has no scenarios.
  case noScenarios(folder: String)
  /// The messages of this side were sent over Bluetooth, which telecap does not have.
  case overBluetooth(Role)
  /// This side sent over Bluetooth and over IP in one recording.
  case mixed(recording: String, Role)
  /// With this packet the number of flows exceeds the maximum of a replay.
  case tooManyFlows(recording: String, packet: Int, most: Int)
  /// This packet, or the last one, is later after the first than the maximum, in ns.
  case tooLong(packet: Int?, most: Nanoseconds)
  /// No packet is due for this time, in ns, before this packet, or its delay is this long.
  case standstill(packet: Int, length: Nanoseconds, most: Nanoseconds)
  /// The traffic with this peer of a relay has no known protocol.
  case noProtocol(at: String)
  /// The name of a host has no address.
  case noAddress(String)
  /// This SQL condition matches no message that is sent.
  case choosesNothing(String)
  /// This side sent only over TCP, to which impairments of datagrams do not apply.
  case streamsOnly(Role)
  /// No host accepted a phone; these were its answers.
  case notLetIn(answers: [String])
  /// No chosen scenario has a byte stream that can be cut.
  case noStream
  /// This number of datagrams was not delivered, of all that were to be sent, and this number of byte streams broke.
  case undelivered(to: String, lost: Int, of: Int, streams: Int, isAll: Bool)

  /// The cause of a problem.
  public enum Kind: Sendable {
    /// An invalid request.
    case request
    /// A missing input.
    case noInput
    /// Invalid input.
    case data
    /// An unavailable service.
    case unavailable
    /// A partial failure to send.
    case io
  }

  /// The cause of the problem.
  public var kind: Kind {
    switch self {
    case .nobody, .nothing, .mixed, .tooManyFlows, .tooLong, .standstill: .data
    case .noScenarios, .noScenarioFolder: .noInput
    case .noAddress, .notLetIn: .unavailable
    case .undelivered(_, _, _, _, let isAll): isAll ? .unavailable : .io
    case .standardInput, .noRole, .otherReceiver, .otherSystem, .nothingToJudge, .cannotTake, .otherCode, .noSystem,
      .noFile, .noneLeft, .standsAlone, .noCase, .noMatch, .overBluetooth, .choosesNothing, .streamsOnly, .noStream,
      .noProtocol, .tooManyCases:
      .request
    }
  }

  /// The advice; empty without any.
  public var advice: String {
    switch self {
    case .standardInput: "write it to a file first"
    case .nobody(_, _, let notes) where !notes.isEmpty, .nothing(_, _, let notes) where !notes.isEmpty:
      notes.joined(separator: "\n  ")
    case .nobody(let recording, _, _):
      Advice.dissect(recording)
    case .nothing: "choose another side with --role, or another time with --from and --until"
    case .otherReceiver: "choose the sender with --role, or send --to the other"
    case .otherSystem: "choose the sender with --role"
    case .overBluetooth(let role): "--to model:\(role.receiver) tests it in virtual time"
    case .mixed: "export one of them first, with telecap export --where, and replay that"
    case .tooManyFlows: "replay a part of it, with --from and --until"
    case .tooLong: "choose a part of the recording with telecap export --where"
    case .standstill: "shorten gaps with --max-gap, or choose a part of the recording with telecap export --where"
    case .otherCode: "leave out one of the two"
    case .noSystem: "give model:ROLE, a system file that ends in .yaml, or udp://HOST:PORT?role=host"
    case .noFile: "give --sut FILE.yaml"
    case .noRole(let name, let roles):
      Spelling.nearest(to: name, among: roles.map(\.name)).map { "did you mean \($0)?" } ?? ""
    case .standsAlone: "leave --jobs out, or give each run its own address and output"
    case .tooManyCases: "give fewer --seeds, or leave it out with --skip"
    case .noCase, .noneLeft: "see telecap conform --list"
    case .noMatch(_, _, let nearest):
      nearest.map { "did you mean \($0)?" } ?? "see their ids with telecap conform --list"
    case .noScenarios: "name their folder with --scenarios"
    case .noScenarioFolder:
      "name their folder with --scenarios DIR; they are looked for in Scenarios where you are, and in Scenarios and "
        + "share/telecap/Scenarios of each folder above the program"
    case .undelivered(_, _, _, _, true): "see that somebody listens there, or name another place with --to"
    case .noProtocol: "name its port, as with --tele-udp, or its file with --protocol"
    case .choosesNothing: "see the types and columns with telecap export --format csv"
    case .streamsOnly: "leave the impairments out; telecap relay tcp: stalls and breaks streams"
    case .notLetIn(let answers):
      answers.isEmpty
        ? "see that one listens there, or name another place with --to" : "give the host's code with --code"
    case .noStream: "leave --pieces out: datagrams are whole"
    case .nothingToJudge, .cannotTake, .noAddress, .undelivered: ""
    }
  }
}

extension ReplayProblem {
  /// Reports that a condition matched nothing, or throws that as an error for a check, since a check of nothing must
  /// not pass.
  public static func refuseEmpty(
    _ chosen: PacketSelection?, _ condition: String?, isError: Bool, _ tell: (String) -> Void
  ) throws(ReplayProblem) {
    guard let condition, chosen?.count == 0 else { return }
    let problem = ReplayProblem.choosesNothing(condition)
    if isError { throw problem }
    tell("\(problem)")
  }
}

extension ReplayProblem: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .standardInput: "a replay reads its recording twice, which standard input and pipes do not allow"
    case .nobody(let recording, let roles, _):
      "\(recording): no packet of \(roles.map { "a \($0)" }.list(or: true))"
    case .noRole(let name, let roles): "there is no role \"\(name)\"; there are \(roles.map(\.name).list(or: false))"
    case .nothing(let recording, let role, _):
      "\(recording): nothing to send again of what a \(role) sent"
    case .otherReceiver(let sender, let receiver):
      "what a \(sender) sends is for a \(sender.receiver), not for a \(receiver)"
    case .otherSystem(let sender, let system):
      "what a \(sender) sends is for a \(sender.receiver), which \(system) is not"
    case .nothingToJudge(let receiver): "a \(receiver) receives no stream that can be tested"
    case .cannotTake(let system, let reason): "\(system) cannot take this recording: \(reason)"
    case .otherCode(let code, let system, let own):
      "--code \(code) has no effect: \(system) says that the code is \(own)"
    case .noSystem(let text): "--sut: \"\(text)\" is no system"
    case .noFile(let system): "--check: \(system) has no system file whose rules could be checked"
    case .noneLeft(let options): "\(options.list(or: false)) \(options.count == 1 ? "leaves" : "leave") no scenario"
    case .standsAlone(let system, let reason): "--jobs: the cases of \(system) run one after the other: \(reason)"
    case .noCase(let system): "no scenario that is chosen is for \(system)"
    case .tooManyCases(let scenario, let cases, let seeds):
      "--seeds \(seeds): \(scenario) would have \(Numbers.grouped(cases)) cases, and a scenario has at most "
        + Numbers.grouped(Scenario.mostCases)
    case .noMatch(let option, let glob, _): "\(option) \"\(glob)\": no scenario has such an id"
    case .noScenarioFolder: "no folder of scenarios is found"
    case .noScenarios(let folder): "\(folder): no scenarios"
    case .overBluetooth(let role): "what this \(role) sent went over Bluetooth, and telecap has none to send over"
    case .mixed(let recording, let role):
      "\(recording): the \(role) sent over Bluetooth and over IP, and one model takes one of them"
    case .tooManyFlows(let recording, let packet, let most):
      "\(recording): packet \(packet) begins another flow than the \(most) before it, which are as many as one replay sends"
    case .tooLong(let packet, let most):
      "\(packet.map { "packet \($0)" } ?? "the last packet") lies more than \(most / 3_600_000_000_000) hours from the first one, which is the most that is felt"
    case .standstill(let packet, let length, let most):
      "packet \(packet) is due \(Numbers.grouped(Int(length / 1_000_000_000))) s after what is before it: a run does not stand still for more than \(most / 86_400_000_000_000) days"
    case .noProtocol(let end): "no protocol is known at \(end), so that its messages could be sent again by a plan"
    case .choosesNothing(let condition): "--where \"\(condition)\" chooses no message"
    case .streamsOnly(let role):
      "all that the \(role) sent went over TCP, whose streams keep every byte in its order: no impairment has an effect"
    case .notLetIn(let answers):
      answers.isEmpty ? "no host answered" : "no host let it in: it was answered \(answers.list(or: false))"
    case .noStream: "--pieces: no scenario that is chosen has a stream that could be cut"
    case .noAddress(let host): "\(host) has no address"
    case .undelivered(let place, let lost, let all, let streams, _):
      "\(place): "
        + ((lost > 0 ? ["\(lost) of \(all) datagrams were refused or could not be sent"] : [])
        + (streams > 0 ? ["TCP streams that broke: \(streams)"] : [])).list(or: false)
    }
  }
}

extension ReplayReport {
  /// Throws where the replay is incomplete: packets were not delivered, or a person cancelled it.
  ///
  /// - Parameter isEndless: whether only a cancellation ends it.
  /// - Throws: `ReplayProblem.undelivered`; `CancellationError`.
  public func checkIsWhole(isEndless: Bool) throws {
    if let undelivered { throw undelivered }
    if isStopped, !isEndless { throw CancellationError() }
  }

  /// The error about packets that were sent and not delivered; nil without any.
  public var undelivered: ReplayProblem? {
    guard let sending, sending.lost > 0 || !sending.streamErrors.isEmpty else { return nil }
    return .undelivered(
      to: destination, lost: sending.lost, of: sending.datagrams, streams: sending.streamErrors.count,
      isAll: sending.isAllLost)
  }
}
