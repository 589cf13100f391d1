import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapWire
import TelecapText

extension Scenario {
  /// Reads a scenario file as one scenario for each transport of its requirement, with the same steps.
  /// - Parameters:
  ///   - path: its path under `Scenarios/`, such as `tele/hello/busy.yaml`, which is its id.
  ///   - file: its name in errors.
  ///   - suites: the known requirements, parts, actions and expectations.
  ///   - captures: reads the captures that it names; nil rejects them.
  ///   - networks: reads the network profiles that it names; nil rejects them.
  /// - Throws: `YAMLFileError` at the position of the first error.
  public static func read(
    _ text: String, path: String, file: String, suites: Suites, captures: CaptureLoader? = nil,
    networks: NetworkLoader? = nil
  ) throws(YAMLFileError) -> [Scenario] {
    let root = try YAMLValue.read(text, file: file, as: suites.shape)
    let decoder = ScenarioDecoder(root, suites, captures, networks)
    var scenarios: [Scenario] = []
    for carrier in try decoder.carriers() {
      var scenario = try decoder.read(text, path: path, over: carrier, isFirst: scenarios.isEmpty)
      scenario.file = file
      scenarios.append(scenario)
    }
    return scenarios
  }

  /// The possible ids of scenarios of a file at this path: one for the first transport, and one for each other.
  public static func ids(of path: String) -> [String] {
    let name = name(of: path)
    return [name] + Carrier.allCases.map { id(name, over: $0) }
  }

  /// The id of the scenario of a file over its first transport: its path with dots.
  fileprivate static func name(of path: String) -> String {
    (path.hasSuffix(".yaml") ? String(path.dropLast(5)) : path).replacing("/", with: ".")
  }

  /// The id of the scenario over another transport.
  fileprivate static func id(_ name: String, over carrier: Carrier) -> String { "\(name).\(carrier.name)" }

  /// The scenario of a file over its first transport.
  /// - Throws: `YAMLFileError` at the position of the first error.
  public init(
    _ text: String, path: String, file: String, suites: Suites, captures: CaptureLoader? = nil,
    networks: NetworkLoader? = nil
  ) throws(YAMLFileError) {
    self = try Scenario.read(
      text, path: path, file: file, suites: suites, captures: captures, networks: networks)[0]
  }
}

private struct ScenarioDecoder {
  let root: YAMLValue
  let suites: Suites
  let captures: CaptureLoader?
  let networks: NetworkLoader?

  init(_ root: YAMLValue, _ suites: Suites, _ captures: CaptureLoader?, _ networks: NetworkLoader?) {
    (self.root, self.suites) = (root, suites)
    (self.captures, self.networks) = (captures, networks)
  }

  /// The transports of the scenario: those of the file, else those of its requirement over which each part of it has a
  /// meaning. A scenario with a network profile, with transports of single steps, or with a capture has one only.
  func carriers() throws(YAMLFileError) -> [Carrier] {
    let named = root["carrier"]?.list.compactMap { $0.text.flatMap(Carrier.init(named:)) }
    guard let owner = root["role"]?.text.flatMap(suites.part)?.role?.owner, !owner.mixesCarriers else {
      if let carrier = root["carrier"] {
        throw carrier.error("a \(root["role"]?.text ?? "part") has no choice of transports; leave it out")
      }
      return [.udp]
    }
    let requirement = root["requirement"]?.text.flatMap(suites.requirement)
    let name = requirement?.id ?? "its requirement"
    let own = requirement?.carriers ?? [.udp]
    let hasNetwork = root["impair"] != nil || root["grid"]?.pairs.contains { $0.key != "pieces" } == true
    if let named, let value = root["carrier"] {
      guard Set(named).count == named.count else { throw value.error("a transport is named twice") }
      if let other = named.first(where: { !own.contains($0) }) {
        throw value.error("\(name) does not apply over \(other.name)")
      }
      if hasNetwork, let other = named.first(where: \.isConnected) {
        throw value.error("a network impairs datagrams, and \(other.name) has none")
      }
      for carrier in named {
        if let lack = MeaninglessStep.first(in: root, over: carrier, of: owner) { throw lack.value.error(lack.words) }
      }
      return named
    }
    let steps = root["steps"]?.list ?? []
    let isOfDatagrams = hasNetwork || steps.contains { $0["over"] != nil || $0["capture"] != nil }
    let carriers = own.filter { carrier in
      owner.dialect(over: carrier) != nil && (!isOfDatagrams || carrier == .udp)
        && MeaninglessStep.first(in: root, over: carrier, of: owner) == nil
        && (owner.asking(insteadOver: carrier) == nil || expectsMoreThanAnswers(requirement))
    }
    guard carriers.isEmpty else { return carriers }
    throw root.error("\(name) does not apply over udp, which this is about")
  }

  /// Whether it expects more than answers, which some transports do not have.
  private func expectsMoreThanAnswers(_ requirement: Requirement?) -> Bool {
    root["expect"] != nil || requirement.map { ExpectationDecoder(suites).judges($0) } == true
  }

  /// The scenario over one of its transports; over any but the first, its id ends with the transport's name.
  func read(
    _ text: String, path: String, over carrier: Carrier, isFirst: Bool
  ) throws(YAMLFileError) -> Scenario {
    let name = Scenario.name(of: path)
    let id = isFirst ? name : Scenario.id(name, over: carrier)
    let requirement = try requirement(name)
    let setup = try setup(carrier)
    let impairments = try impairments([:])
    let combinations = try combinations()
    let pieces = try pieces(setup, isFirst: isFirst)
    var steps: [Step] = []
    var decoder = StepDecoder(setup, suites, captures: captures)
    for step in root["steps"]?.list ?? [] { steps += try decoder.read(step) }
    let peers = Set(steps.map(\.peer))
    for step in root["steps"]?.list ?? [] {
      guard let from = step["from"], let namesake = SamePortPeer.namesake(of: from.text ?? "") else { continue }
      if !peers.contains(namesake) { throw from.error("there is no \(namesake) whose port it could have") }
    }
    let end = root["end"]?.time ?? (steps.map(\.lastTime).max() ?? 0) + 1_000_000_000
    steps += try signsOfLife(setup, among: steps, until: end)
    let acknowledges = try acknowledges(setup)
    if acknowledges.isEmpty, let step = root["steps"]?.list.lazy.compactMap({ $0["end-session"] }).first {
      throw step.error("\"end-session\": no session is opened: nothing is acknowledged")
    }
    let expectations = try ExpectationDecoder(suites).read(root["expect"], requirement, steps, at: root)
    return Scenario(
      id: id, path: path, sentence: try sentence(text), requirement: requirement, setup: setup, steps: steps,
      acknowledges: acknowledges, impairments: impairments, suffering: try suffering(setup),
      suffersFrom: Timestamp(nanoseconds: root["impair"]?["from"]?.time ?? 0),
      combinations: combinations,
      pieces: pieces, seeds: try seeds(combinations.count * max(1, pieces.count)), expectations: expectations,
      end: Timestamp(nanoseconds: end),
      changers: try changers(combinations, setup), judging: suites.model(of: setup.part)?.judging ?? StreamJudging())
  }

  /// The first line: a comment with the description of the scenario.
  private func sentence(_ text: String) throws(YAMLFileError) -> String {
    let line = text.prefix { !$0.isNewline }
    guard line.hasPrefix("# "), line.hasSuffix(".") else {
      throw YAMLFileError(
        file: root.file, line: 1, column: 1, "the first line is a comment that says in one sentence what is tested")
    }
    return String(line.dropFirst(2))
  }

  private func requirement(_ id: String) throws(YAMLFileError) -> Requirement {
    guard let value = root["requirement"], let name = value.text else { throw root.error("no requirement") }
    guard let requirement = suites.requirement(name) else {
      let meant = Spelling.nearest(to: name, among: suites.requirements.map(\.id))
      throw value.error("unknown requirement \"\(name)\"" + (meant.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
    guard id == name || id.hasPrefix(name + ".") else {
      throw value.error("the file's path must mirror the requirement: \(name.replacing(".", with: "/")).yaml")
    }
    return requirement
  }

  private func seeds(_ combinations: Int) throws(YAMLFileError) -> Int {
    let most = Scenario.mostCases / combinations
    guard most > 0 else { throw (root["grid"] ?? root).error("more than \(Scenario.mostCases) cases") }
    guard let value = root["seeds"] else { return 1 }
    guard let seeds = value.integer, (1...Int64(most)).contains(seeds) else {
      let all = combinations == 1 ? "" : " for each of \(combinations) combinations"
      throw value.error("\"seeds\" is 1 to \(most)\(all)")
    }
    return Int(seeds)
  }

  /// The segment sizes: those of the file; next to a scenario of datagrams, whole and one byte. Datagrams are not cut.
  private func pieces(_ setup: Setup, isFirst: Bool) throws(YAMLFileError) -> [Int] {
    let carrier = setup.carrier
    if carrier != .tcp, setup.part.role?.owner.mixesCarriers != true { return [] }
    if let pieces = root["grid"]?["pieces"] {
      let sizes = pieces.list.compactMap { $0.integer.flatMap { Int(exactly: $0) } }
      guard !sizes.isEmpty, sizes.allSatisfy({ $0 >= 0 }) else {
        throw pieces.error("\"pieces\" are sizes in bytes, 0 for whole")
      }
      return sizes
    }
    return carrier == .tcp && !isFirst ? [0, 1] : []
  }

  private func setup(_ carrier: Carrier) throws(YAMLFileError) -> Setup {
    guard let part = root["role"]?.text.flatMap(suites.part) else { throw root.error("there is no such role") }
    var setup = Setup(
      part: part, code: root["code"]?.text ?? "ABC123",
      carrier: carrier, sendsHaptics: root["haptics"]?.flag ?? false,
      playsImpacts: root["impacts"]?.flag ?? false)
    setup.leaves = root["leave"]?.flag ?? false
    if setup.leaves, part.role == nil {
      throw (root["leave"] ?? root).error("a \(part) has no transport: its teardown cannot be tested")
    }
    for key in suites.all.flatMap(\.setupKeys) {
      if let value = root[key.key.name] { try key.read(value)(&setup) }
    }
    return setup
  }

  /// The kinds of messages that are impaired, in all forms.
  private func suffering(_ setup: Setup) throws(YAMLFileError) -> [MessageKind] {
    let names = root["impair"]?["only"]?.list ?? []
    let asked = ["network"] + ImpairmentList.all.optionsInOrder.map(\.name)
    if let impair = root["impair"], !asked.contains(where: { impair[$0] != nil || root["grid"]?[$0] != nil }) {
      throw impair.error("no impairment is given: \"only\" and \"from\" select the messages that are impaired")
    }
    guard let first = names.first else { return [] }
    guard let builder = MessageBuilder(setup, suites) else {
      throw first.error("a \(setup.part) has no transport: there are no messages to impair")
    }
    var kinds: [MessageKind] = []
    for name in names { kinds += try builder.kinds(name) }
    return kinds
  }

  /// The signs of life of our side over a transport without answers, which show that a session is open: sent as long as
  /// it would answer elsewhere, while its link is up.
  private func signsOfLife(
    _ setup: Setup, among steps: [Step], until end: Nanoseconds
  ) throws(YAMLFileError) -> [Step] {
    guard setup.part.side == .client, let instead = setup.part.role?.owner.asking(insteadOver: setup.carrier),
      let builder = MessageBuilder(setup, suites)
    else { return [] }
    let value = root["acknowledge"]
    if value?.flag == false { return [] }
    let given = value?.flag == nil ? value?.list ?? [] : []
    let spans = given.map { span in
      let from = span["from"]?.time ?? 0
      return from..<max(from, span["until"]?.time ?? end)
    }
    var result: [Step] = []
    for span in LinkTimes(steps, until: end).within(spans.isEmpty ? [0..<end] : spans) {
      let place = root["end"] ?? value ?? root
      let count = try StepPace.held((span.upperBound - span.lowerBound - 1) / max(1, instead.every) + 1, place)
      let messages = try builder.messages(
        instead.life, count: count, every: instead.every, over: setup.carrier, at: value ?? root)
      result.append(
        Step(
          time: Timestamp(nanoseconds: span.lowerBound), peer: "host", work: .send(messages, every: instead.every),
          carrier: setup.carrier, answers: [], line: (value ?? root).line))
    }
    return result
  }

  /// The answers of our side to session requests: none where the answer is the stream itself, which the steps send.
  private func acknowledges(_ setup: Setup) throws(YAMLFileError) -> [Acknowledgement] {
    let value = root["acknowledge"]
    if value?.flag == false { return [] }
    // Where nothing answers, signs of life are sent among the steps.
    if setup.part.side == .client, setup.part.role?.owner.asking(insteadOver: setup.carrier) != nil { return [] }
    guard setup.part.side == .client, let builder = MessageBuilder(setup, suites),
      let accepting = builder.answering(nil, over: setup.carrier)
    else {
      if let value { throw value.error("a \(setup.part) asks for nothing that is acknowledged") }
      return []
    }
    guard let value, value.flag == nil else { return [Acknowledgement(from: .zero, until: .never, accepting)] }
    var answers: [Acknowledgement] = []
    for entry in value.list {
      let word = entry["with"]?.text
      guard let answer = builder.answering(word, over: setup.carrier) else {
        throw (entry["with"] ?? entry).error("a \(setup.part) is answered \(builder.answerWords.list(or: true))")
      }
      answers.append(
        Acknowledgement(
          from: Timestamp(nanoseconds: entry["from"]?.time ?? 0),
          until: Timestamp(nanoseconds: entry["until"]?.time ?? .max), answer))
    }
    return answers
  }

  // MARK: - Impairments

  private func combinations() throws(YAMLFileError) -> [Impairments] {
    var all: [[String: YAMLValue]] = [[:]]
    for (key, values) in root["grid"]?.pairs ?? [] where key != "pieces" {
      guard !values.list.isEmpty else { throw values.error("\"\(key)\" is an empty list: no case is left") }
      let (count, isOver) = all.count.multipliedReportingOverflow(by: values.list.count)
      guard !isOver, count <= Scenario.mostCases / 10 else {
        throw values.error("more than \(Scenario.mostCases / 10) combinations")
      }
      all = all.flatMap { chosen in values.list.map { chosen.merging([key: $0]) { $1 } } }
    }
    var result: [Impairments] = []
    for chosen in all { result.append(try impairments(chosen)) }
    return result
  }

  /// The changers of fields, for those combinations that need one.
  private func changers(
    _ combinations: [Impairments], _ setup: Setup
  ) throws(YAMLFileError) -> [Impairments: MessageChanger] {
    var changers: [Impairments: MessageChanger] = [:]
    for impairments in combinations where impairments.changesFields {
      let place = root["impair"]?["set"] ?? root["grid"]?["set"] ?? root["impair"] ?? root
      do throws(FieldProblem) {
        changers[impairments] = try Scenario.changer(impairments, setup)
      } catch {
        throw place.error("\(error)")
      }
    }
    return changers
  }

  /// The impairments of `impair`, overridden by the values of the grid; both override those of a network profile.
  private func impairments(_ chosen: [String: YAMLValue]) throws(YAMLFileError) -> Impairments {
    var impairments = try (chosen["network"] ?? root["impair"]?["network"]).map(network) ?? .none
    for option in ImpairmentList.all.optionsInOrder {
      guard let value = chosen[option.name] ?? root["impair"]?[option.name] else { continue }
      if value.text != "none" { try value.set(option, of: &impairments) }
    }
    return impairments
  }

  private func network(_ value: YAMLValue) throws(YAMLFileError) -> Impairments {
    guard let name = value.text, name != "none" else { return .none }
    guard let networks else { throw value.error("networks cannot be read here") }
    do {
      return try networks(name)
    } catch {
      throw value.error("\(error)")
    }
  }
}

extension Step {
  /// The time of its last message, in ns since the start.
  var lastTime: Nanoseconds {
    switch work {
    case .send(let messages, let every): time.nanoseconds + Int64(max(0, messages.count - 1)) * every
    case .mutate(_, let count, let every): time.nanoseconds + Int64(max(0, count - 1)) * every
    case .open, .close, .reset, .endSession, .ask: time.nanoseconds
    }
  }
}
