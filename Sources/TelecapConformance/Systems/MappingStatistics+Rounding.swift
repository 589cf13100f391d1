import TelecapText
import TelecapWire

/// How far what a program shows may be from what it stands for: by its file, or by the decimals that it printed.
extension MappingStatistics {
  /// How far a number may be from what it stands for, of a rule and a field.
  /// - Parameter isCoarse: it may have been rounded or cut to the precision with which it was printed at most.
  func tolerance(of field: String, by index: Int, isCoarse: Bool) -> RoundingTolerance? {
    let use = rules[index]
    let source = use.rule.source(of: field)
    if let declared = source.declaredTolerance { return declared }
    guard isCoarse, use.rule.isMeasured(field), let precision = use.printed[field] else { return nil }
    return source.tolerance(precision, isCut: true)
  }

  /// The same of each value of a stream: the largest one, where several rules show it.
  func tolerances(of stream: JudgedStream, isCoarse: Bool) -> [RoundingTolerance?] {
    let shown = rules.indices.filter { rules[$0].rule.showsValues(of: stream) }
    return stream.values.map { row in
      shown.compactMap { tolerance(of: row.name, by: $0, isCoarse: isCoarse) }
        .max { $0.allowed(for: 0) < $1.allowed(for: 0) }
    }
  }

  /// A number of the run may have been rounded or cut by more than double precision is, and the file says nothing of it.
  public var isCoarse: Bool { rules.contains { !$0.coarseFields.isEmpty } }

  /// Why nothing can be judged by numbers that may have been rounded.
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
  /// A run as its program printed it; where the program may have rounded its numbers, with the reading for which it has.
  /// - Parameters:
  ///   - known: what runs before it showed of how the program prints.
  ///   - read: reads the run, for which a program has rounded its numbers to the precision in `rounded`; to none where that is nil.
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
  /// A value that nobody sent is no mistake of a rule that is right where the program rounds.
  fileprivate mutating func forgetStrangers(notIn coarse: MappingStatistics) {
    for index in rules.indices where rules[index].confirmed > 0 && coarse.rules[index].unmatchedValues.count == 0 {
      rules[index].unmatchedValues = Lines()
    }
  }
}

extension MappingStatistics {
  /// How far the numbers that a device shows may be from what they stand for, whichever rule shows them: they are judged as words.
  /// The largest of its fields' is taken, and the precision of all of them together.
  /// - Parameter isTime: of its times, in s; otherwise of all else.
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
  /// A smaller unit than this rounds nothing that is judged; of a time in whole microseconds no digit is missing.
  private static func smallestUnit(of field: String) -> Double { field == "timestamp_us" ? 1.5 : 1.5e-7 }

  /// The numbers that may have been rounded or cut to the decimals with which they were printed.
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

  /// Whether its fields are the values of a stream: what is recognised by its values, or counted, is compared without rounding.
  fileprivate func showsValues(of stream: JudgedStream) -> Bool {
    reads(stream) && [.plain, .measure].contains(stream.showing)
  }
}
