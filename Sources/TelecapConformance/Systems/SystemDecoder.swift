import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

extension SystemFile {
  /// Reads a system file.
  /// - Parameters:
  ///   - file: its name in errors; without `.yaml` the system's name unless the file has one.
  ///   - suites: the known parts.
  /// - Throws: `YAMLFileError` at the position of the first error.
  public init(_ text: String, file: String, suites: Suites) throws(YAMLFileError) {
    let root = try YAMLValue.read(text, file: file, as: SystemShape.system(suites))
    guard let part = (root["role"]?.text).flatMap(suites.part) else { throw root.error("there is no such role") }
    let command = SystemFile.words(root["command"])
    guard !command.isEmpty else { throw (root["command"] ?? root).error("\"command\" names no program") }
    var arguments: [Need: [String]] = [:]
    for (key, value) in root["with"]?.pairs ?? [] {
      if let need = Need(rawValue: key) { arguments[need] = SystemFile.words(value) }
    }
    if arguments[.haptics] != nil, let quiet = root["with"]?["quiet"] {
      throw quiet.error(
        "\"quiet\" cannot be combined with \"haptics\": a host that can send forces sends them in every run")
    }
    let addresses = root["addresses"]
    let udp = try SystemFile.address(addresses?["udp"])
    let tcp = try SystemFile.address(addresses?["tcp"])
    guard udp != nil || tcp != nil || part.program != nil else {
      throw (addresses ?? root).error("\"addresses\" has neither \"udp\" nor \"tcp\"")
    }
    if part.program != nil { try SystemFile.checkDevice(part, root) }
    if let limit = root["output-limit"], limit.integer ?? 0 < 1 {
      throw limit.error("\"output-limit\" is 1 byte or more, found \(limit.text ?? "")")
    }
    let length = (part.role.map { $0.owner.usualCode } ?? Setup.defaultCode).utf8.count
    if let code = root["code"], (code.text ?? "").utf8.count != length {
      throw code.error("\"code\": a code has \(length == 6 ? "six" : "\(length)") characters")
    }
    self.init(
      name: root["name"]?.text ?? SystemFile.stem(of: file), part: part, command: command, arguments: arguments,
      environment: Dictionary((root["environment"]?.pairs ?? []).map { ($0.key, $0.value.text ?? "") }) { $1 },
      directory: root["directory"]?.text ?? ".",
      readiness: try SystemFile.readiness(root["ready"], part, udp: udp, tcp: tcp),
      readyWithin: root["ready"]?["within"]?.time ?? 10_000_000_000, udp: udp, tcp: tcp, code: root["code"]?.text,
      isReused: root["reuse"]?.flag ?? false,
      ending: root["end"]?["signal"]?.text.flatMap(Ending.init) ?? .term,
      endsWithin: root["end"]?["within"]?.time ?? (part.program == nil ? 2_000_000_000 : 10_000_000_000),
      outputLimit: Int(clamping: root["output-limit"]?.integer ?? 16 << 20),
      sources: try SystemFile.sources(root["shows"], part),
      rules: try SystemFile.rules(root["shows"]?["events"], part, suites), file: file)
    format = root["shows"]?["format"]?.text.flatMap(LineFormat.init) ?? .lines
    takesRequests = addresses?["http"] != nil
    actionBindings = try SystemFile.deeds(SystemFile.actions(in: root), part, suites)
    try checkNames(in: root, suites)
    for (owner, key) in suites.all.flatMap(\.systemKeys) {
      guard let value = root[key.key.name] else { continue }
      guard owner == part else { throw value.error("a \(part) has no \"\(key.key.name)\"; leave it out") }
      try key.read(value)(&said)
    }
    for suite in suites.all {
      if let (path, words) = suite.systemProblem(self) {
        throw path.reduce(root) { $0[$1] ?? $0 }.error(words)
      }
    }
  }

  /// Throws at the first text with a `$NAME` that has no value.
  private func checkNames(in root: YAMLValue, _ suites: Suites) throws(YAMLFileError) {
    var has: [Variable] = [.code, .telecap]
    if part.program != nil { has.append(.stimulus) }
    if udp != nil { has.append(.udp) }
    if tcp != nil { has.append(.tcp) }
    if takesRequests { has.append(.http) }
    if sources.contains(where: { if case .udp = $0 { true } else { false } }) { has.append(.events) }
    let known = Variable.allCases.filter(has.contains).map(\.rawValue)
    let words = (root["with"]?.pairs ?? []).flatMap { $0.value.list } + (root["environment"]?.pairs ?? []).map(\.value)
    for word in (root["command"]?.list ?? []) + words { try SystemFile.checkNames(in: word.text ?? "", word, known) }
    let deeds = suites.all.flatMap(\.deeds)
    for (key, value) in try SystemFile.actions(in: root)?.pairs ?? [] {
      let values = deeds.first { $0.name == key }?.values ?? []
      for text in actionBindings[key]?.texts ?? [] { try SystemFile.checkNames(in: text, value, values + known) }
    }
  }

  private static func checkNames(in text: String, _ value: YAMLValue, _ known: [String]) throws(YAMLFileError) {
    if let problem = problem(withNamesIn: text, known: known) { throw value.error(problem) }
  }

  /// The actions of a user under the key's name or its old name.
  private static func actions(in root: YAMLValue) throws(YAMLFileError) -> YAMLValue? {
    let given = SystemShape.actionKeys.compactMap { root[$0] }
    if given.count > 1 { throw given[1].error("\"does\" is the old name of \"actions\": keep \"actions\"") }
    return given.first
  }

  private static func deeds(
    _ value: YAMLValue?, _ part: Part, _ suites: Suites
  ) throws(YAMLFileError) -> [String: ActionBinding] {
    let own = suites.all.first { $0.models.contains { $0.part == part } }?.deeds.map(\.name) ?? []
    var deeds: [String: ActionBinding] = [:]
    for (key, value) in value?.pairs ?? [] {
      guard own.contains(key), part.side == .client else { throw value.error("a \(part) is not made to \(key)") }
      deeds[key] = try deed(value, named: key)
    }
    return deeds
  }

  private static func words(_ value: YAMLValue?) -> [String] { (value?.list ?? []).map { $0.text ?? "" } }

  private static func stem(of file: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name
  }

  private static func address(_ value: YAMLValue?) throws(YAMLFileError) -> Address? {
    guard let value, let text = value.text else { return nil }
    if text == "free" { return .free }
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
      let port = UInt16(text[text.index(after: colon)...]), port > 0
    else { throw value.error("expected HOST:PORT or free, found \"\(text)\"") }
    return .fixed(text)
  }

  private static func readiness(
    _ value: YAMLValue?, _ part: Part, udp: Address?, tcp: Address?
  ) throws(YAMLFileError) -> Readiness {
    let given = (value?.pairs ?? []).filter { $0.key != "within" && $0.value.flag != false }
    if given.count > 1 { throw given[1].value.error("\"ready\" names two ways to know: keep one") }
    guard let (key, way) = given.first else {
      return part.side == .host ? .port(udp != nil ? .udp : .tcp) : .speaks
    }
    switch key {
    case "line": return .line(way.text ?? "")
    case "port":
      let carrier: Carrier = way.text == "tcp" ? .tcp : .udp
      if (carrier == .udp ? udp : tcp) == nil { throw way.error("\"addresses\" has no \"\(way.text ?? "")\"") }
      return .port(carrier)
    case "after": return .delay(way.time ?? 0)
    default: return .speaks
    }
  }

  private static func sources(_ shows: YAMLValue?, _ part: Part) throws(YAMLFileError) -> [Source] {
    guard let shows else { return part.program == nil ? [] : [.stdout] }
    guard let from = shows["from"] else { return [.stdout] }
    var sources: [Source] = []
    for entry in from.list {
      switch entry.text {
      case "stdout": sources.append(.stdout)
      case "stderr": sources.append(.stderr)
      default:
        if let path = entry["file"] {
          let text = path.text ?? ""
          if let folder = text.lastIndex(of: "/"), text[..<folder].contains("*") {
            throw path.error("only the last part of a path can have a *: a folder is one that is there")
          }
          sources.append(.file(text))
        } else if let port = entry["udp"] {
          guard port.text == "free" || (1...65_535).contains(port.integer ?? 0) else {
            throw port.error("expected a port from 1 to 65535 or free, found \"\(port.text ?? "")\"")
          }
          sources.append(.udp(UInt16(clamping: port.integer ?? 0)))
        } else {
          throw entry.error("\"from\" has neither \"file\" nor \"udp\"")
        }
      }
    }
    return sources
  }

  // MARK: - Events

  private static func rules(_ value: YAMLValue?, _ part: Part, _ suites: Suites) throws(YAMLFileError) -> [EventRule] {
    var rules: [EventRule] = []
    for entry in value?.list ?? [] {
      let (kind, device) = try kind(entry, part, suites)
      let conditions = (entry["when"]?.pairs ?? []).map { key, value in
        EventRule.Condition(path(key), value.list.map { $0.text ?? "" })
      }
      let known = device?.fields.map(\.name) ?? kind.fields
      let name = kind.declared.map { "the stream \($0.rules.name)" } ?? device?.name ?? kind.name
      var rule = EventRule(kind, when: conditions, fields: try fields(entry, known, of: name))
      (rule.device, rule.shownByDevice) = (device, part.program?.shows ?? [])
      rule.line = entry.line
      if let pattern = entry["line"] { rule.pattern = try SystemFile.pattern(pattern) }
      if device != nil, rule.pattern == nil, conditions.isEmpty {
        throw (entry["is"] ?? entry).error("say when a line is \"\(name)\": name \"when\" or \"line\"")
      }
      if let same = rules.first(where: { $0.saysTheSame(as: rule) }) {
        throw (entry["is"] ?? entry).error("line \(same.line) has the same rule: each \(name) would be counted twice")
      }
      rules.append(rule)
    }
    return rules + (part.program?.rules(beside: rules) ?? [])
  }

  /// The kind of a rule; for a device also one of its own events.
  private static func kind(
    _ entry: YAMLValue, _ part: Part, _ suites: Suites
  ) throws(YAMLFileError) -> (EventRule.Kind, DeviceEvent?) {
    let name = entry["is"] ?? entry
    let word = name.text ?? ""
    if word != Suites.applied, let stream = entry["stream"] { throw stream.error("only \"is: applied\" has a stream") }
    guard let program = part.program else {
      if word == Suites.applied { return (.applied(try stream(entry, part, suites)), nil) }
      if let kind = suites.kinds.first(where: { $0.name == word }) { return (kind, nil) }
      throw name.error("a \(part) shows no \"\(word)\"")
    }
    if let event = program.allEvents.first(where: { $0.name == word }) { return (.told, event) }
    throw name.error("\(part) shows no \"\(word)\"; it has \(program.allEvents.map(\.name).joined(separator: ", "))")
  }

  /// Throws at the first key that has no meaning for a device.
  private static func checkDevice(_ part: Part, _ root: YAMLValue) throws(YAMLFileError) {
    for key in ["with", "ready", "addresses", "code", "reuse"] + SystemShape.actionKeys {
      if let value = root[key] { throw value.error("\(part) has no \"\(key)\"; leave it out") }
    }
    if let signal = root["end"]?["signal"] {
      throw signal.error("\(part) ends by itself when its standard input has ended; leave \"signal\" out")
    }
    for source in root["shows"]?["from"]?.list ?? [] where source.text == nil {
      throw source.error("\(part) prints what it does: on stdout or stderr")
    }
  }

  /// The stream of a protocol file whose value an event shows.
  private static func stream(
    _ entry: YAMLValue, _ part: Part, _ suites: Suites
  ) throws(YAMLFileError) -> JudgedStream {
    let model = suites.model(of: part)
    let streams = model?.isDeclared == true ? model?.judging.streams ?? [] : []
    let names = streams.map(\.rules.name)
    guard !names.isEmpty else {
      throw (entry["is"] ?? entry).error("a \(part) applies no stream of a protocol file: name what it is by itself")
    }
    guard let name = entry["stream"] else {
      throw (entry["is"] ?? entry).error("\"is: applied\" names no stream; there is \(names.joined(separator: ", "))")
    }
    guard let stream = streams.first(where: { $0.rules.name == name.text }) else {
      throw name.error("a \(part) applies no stream \"\(name.text ?? "")\"; there is \(names.joined(separator: ", "))")
    }
    return stream
  }

  private static func fields(
    _ entry: YAMLValue, _ known: [String], of kind: String
  ) throws(YAMLFileError) -> [String: FieldSource] {
    var fields: [String: FieldSource] = [:]
    guard case .mapping(let pairs)? = entry["fields"]?.content else { return fields }
    for (key, value) in pairs {
      let name = key.text ?? ""
      guard known.contains(name) else {
        let meant = Spelling.nearest(to: name, among: known)
        let advice = meant.map { "did you mean \"\($0)\"?" } ?? "it has \(known.joined(separator: ", "))"
        throw key.error("\(kind) has no field \"\(name)\"; \(advice)")
      }
      if let text = value.text {
        fields[name] = FieldSource(path: path(text))
      } else if value["path"] == nil, value["value"] == nil {
        throw value.error("\"\(name)\" has neither \"path\" nor \"value\"")
      } else {
        if let times = value["times"], let factor = times.number, !factor.isFinite || factor == 0 {
          throw times.error("\"times\" is a finite number other than 0, found \(times.text ?? "")")
        }
        var source = FieldSource(
          path: path(value["path"]?.text ?? ""), value: value["value"].map(json),
          words: Dictionary((value["words"]?.pairs ?? []).map { ($0.key, json($0.value)) }) { $1 },
          times: value["times"]?.number ?? 1)
        (source.decimals, source.isCut) = try rounding(value)
        fields[name] = source
      }
    }
    return fields
  }

  /// The number of decimals to which a program rounds or truncates a field.
  private static func rounding(_ value: YAMLValue) throws(YAMLFileError) -> (decimals: Int?, isCut: Bool) {
    guard let entry = value["decimals"] else {
      if let cut = value["cut"] { throw cut.error("\"cut\" says nothing without \"decimals\"") }
      return (nil, false)
    }
    let decimals = Int(clamping: entry.integer ?? 0)
    guard (0...FieldSource.maxDecimals).contains(decimals) else {
      throw entry.error("\"decimals\" is 0 to \(FieldSource.maxDecimals), found \(entry.text ?? "")")
    }
    return (decimals, value["cut"]?.flag ?? false)
  }

  private static func pattern(_ value: YAMLValue) throws(YAMLFileError) -> LinePattern {
    do {
      return try LinePattern(value.text ?? "")
    } catch {
      throw value.error("\"line\" is no regular expression: \(error)")
    }
  }

  private static func path(_ text: String) -> [String] { text.split(separator: ".").map(String.init) }

  private static func json(_ value: YAMLValue) -> JSONNode {
    if let flag = value.flag { return JSONNode(.bool(flag)) }
    if let number = value.number {
      // A double is not exact for this number: keep it as written.
      let whole = value.text.flatMap { WholeNumber($0) }.flatMap { $0.magnitude > WholeNumber.exactInDouble ? $0 : nil }
      return JSONNode(.number(whole.map { "\($0)" } ?? "\(number)"))
    }
    return .string(value.text ?? "")
  }
}

extension Suites {
  /// The name of an event for a stream's value of a protocol file.
  static let applied = "applied"

  /// The kinds of events with their own names in a system file.
  public var kinds: [EventRule.Kind] { all.flatMap(\.shows) + [.sessionOpened, .sessionClosed] }

  /// The words after `is`, except the events of devices.
  public var kindNames: [String] { kinds.map(\.name) + [Suites.applied] }
}

extension EventRule.Kind {
  /// The stream of a protocol file whose value it shows; nil for other kinds.
  var declared: JudgedStream? {
    if case .applied(let stream) = self, stream.showing == .plain { stream } else { nil }
  }
}
