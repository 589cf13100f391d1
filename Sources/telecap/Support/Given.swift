import ArgumentParser
import TelecapFiles
import TelecapReplay

/// The options that the command line contains. A value does not show whether its option was given, because it may equal
/// the default.
enum Given {
  /// The command line of this process.
  static let line = CurrentWords(Array(CommandLine.arguments.dropFirst()))

  /// The words after the program's name, with the names of today in place of old ones.
  static var words: [String] { line.words }

  /// The names of the options without dashes, while this command line is parsed and run.
  @TaskLocal static var options: Set<String> = []

  /// The options of a command line. Throws if one is given twice, because only the last would have an effect.
  static func names(in words: [String]) throws -> Set<String> {
    let short: [Character: String] = ["i": "interface", "o": "output", "q": "quiet", "v": "verbose"]
    if let name = words.repeatedOption(short: short) { throw ValidationError("--\(name) is given twice") }
    return words.optionNames(short: short)
  }

  /// Options, separated by spaces; whether they have no effect; and the reason, or what to do instead, to be read after
  /// the name.
  typealias Row = (options: String, isIdle: Bool, words: String)

  /// Throws if two files are the same file. Each has the name that it has on the command line, such as `--html` or `the
  /// recording`. The files of `--protocol`, `--network` and `--case-network` are included.
  static func refuseSame(_ read: [SameFile.Named], to written: [SameFile.Named]) throws {
    let protocols = Loaded.paths.map { (name: "--protocol", path: String?.some($0)) }
    let networks = ["--network", "--case-network"].flatMap { option in
      words.values(of: option).map { (name: option, path: String?.some(NetworkLibrary().path(of: $0))) }
    }
    if let same = SameFile(among: protocols + networks + read, to: written) { throw ValidationError("\(same)") }
  }

  /// Throws the error of the first row whose options have no effect and one of which was given: `--min requires
  /// --forces`.
  static func refuse(_ rows: Row...) throws {
    for row in rows where row.isIdle {
      let given = row.options.split(separator: " ").first { options.contains(String($0)) }
      if let given { throw ValidationError("--\(given) \(row.words)") }
    }
  }
}
