import TelecapText
import TelecapWire

/// The tolerances of a program's output: declared by its file, or inferred from its printed decimals.
extension MappingStatistics {
  /// The tolerance of a field, by the index of its rule.
  /// - Parameter isCoarse: whether numbers are taken as rounded or truncated to their largest printed precision.
  func tolerance(of field: String, by index: Int, isCoarse: Bool) -> RoundingTolerance? {
    let use = rules[index]
    let source = use.rule.source(of: field)
    if let declared = source.declaredTolerance { return declared }
    guard isCoarse, use.rule.isMeasured(field), let precision = use.printed[field] else { return nil }
    return source.tolerance(precision, isCut: true)
  }

  /// The tolerance of each value of a stream: the largest one, where several rules show it.
  func tolerances(of stream: JudgedStream, isCoarse: Bool) -> [RoundingTolerance?] {
    let shown = rules.indices.filter { rules[$0].rule.showsValues(of: stream) }
    return stream.values.map { row in
      shown.compactMap { tolerance(of: row.name, by: $0, isCoarse: isCoarse) }
        .max { $0.allowed(for: 0) < $1.allowed(for: 0) }
    }
  }

  /// Whether a number may be rounded to less than double precision without a declaration in the file.
  public var isCoarse: Bool { rules.contains { !$0.coarseFields.isEmpty } }

  /// The reason why numbers that may be rounded have no verdict.
  var wordsOfRounding: String {
    let uses = rules.filter { !$0.coarseFields.isEmpty }.map { use -> String in
      let fields = use.coarseFields
      let decimals = max(0, fields.compactMap { use.printed[$0]?.decimals }.max() ?? 0)
      let count = decimals == 1 ? "1 decimal" : "\(decimals) decimals"
      return "\(name(use)) shows \(fields.map { "\"\($0)\"" }.list(or: false)) with \(count) at most"
    }
    return uses.joined(separator: "; ")
      + ": the difference may be the rounding of what is printed. Have the program print more decimals, or say by \"decimals\" in "
      + "the system file to how many it rounds"
  }
}

extension RunLog {
  /// Reads a run exactly, and where the program may have rounded its numbers, also as rounded.
  /// - Parameters:
  ///   - known: the mapping statistics of earlier runs.
  ///   - read: reads the run with numbers rounded to the precision in `rounded`, or exactly where that is nil.
  public static func reading(after known: MappingStatistics? = nil, _ read: (_ rounded: MappingStatistics?) -> RunLog)
    -> RunLog
  {
    var exact = read(nil)
    if let known { exact.mapping?.mergeManner(of: known) }
    guard let mapping = exact.mapping, mapping.isCoarse else { return exact }
    var coarse = read(mapping)
    coarse.mapping?.mergeManner(of: mapping)
    coarse.isCoarse = true
    exact.coarse = [coarse]
    if let coarse = coarse.mapping { exact.mapping?.forgetStrangers(notIn: coarse) }
    return exact
  }
}

extension MappingStatistics {
  /// Removes unmatched values of confirmed rules that a reading with rounding matches.
  fileprivate mutating func forgetStrangers(notIn coarse: MappingStatistics) {
    for index in rules.indices where rules[index].confirmed > 0 && coarse.rules[index].unmatchedValues.count == 0 {
      rules[index].unmatchedValues = Lines()
    }
  }
}

extension MappingStatistics {
  /// The tolerance of a device's numbers for all rules, since they are compared as text: the largest of its fields,
  /// with their common precision.
  /// - Parameter isTime: for times, in s; otherwise for all other numbers.
  public func deviceTolerance(isTime: Bool, isCoarse: Bool) -> Double {
    func isWanted(_ field: String) -> Bool { (field == "t") == isTime }
    let sources = rules.flatMap { use in
      use.rule.knownFields.filter { isWanted($0) && use.rule.isMeasured($0) }.map { use.rule.source(of: $0) }
    }
    let declared = sources.compactMap { $0.declaredTolerance?.allowed(for: 0) }.max() ?? 0
    let printed = rules.flatMap { use in use.coarseFields.filter(isWanted).compactMap { use.printed[$0] } }
    guard isCoarse, var precision = printed.first else { return declared }
    for other in printed { precision.merge(other) }
    let coarse = sources.filter { $0.decimals == nil }.map { $0.tolerance(precision, isCut: true).allowed(for: 0) }
    return max(declared, coarse.max() ?? 0)
  }
}

extension MappingStatistics.RuleUse {
  /// The smallest unit whose rounding affects a verdict; a time in whole microseconds is exact.
  private static func smallestUnit(of field: String) -> Double { field == "timestamp_us" ? 1.5 : 1.5e-7 }

  /// The numbers that may be rounded or truncated to their printed decimals.
  fileprivate var coarseFields: [String] {
    rule.knownFields.filter { field in
      let source = rule.source(of: field)
      guard rule.isMeasured(field), source.decimals == nil, let precision = printed[field] else { return false }
      return source.tolerance(precision, isCut: true).allowed(for: 0) > Self.smallestUnit(of: field)
    }
  }
}

extension EventRule {
  /// Whether a field is a measure, which a program may round; not a count, a code or a word.
  fileprivate func isMeasured(_ field: String) -> Bool {
    switch kind {
    case .applied(let stream): stream.mayBeRounded(field, isScaled: source(of: field).times.magnitude != 1)
    case .told: device?.field(field)?.words == nil
    default: false
    }
  }

  /// Whether its fields are compared as values of a stream. Those that identify messages, and counts, are compared
  /// without rounding.
  fileprivate func showsValues(of stream: JudgedStream) -> Bool {
    reads(stream) && [.plain, .measure].contains(stream.showing)
  }
}
