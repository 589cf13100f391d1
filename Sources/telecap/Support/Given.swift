import ArgumentParser
import TelecapFiles
import TelecapReplay

/// Which options stand on the command line: their values do not tell, since what is given may be the default.
enum Given {
  /// Their names without dashes, while this command line is parsed and run.
  @TaskLocal static var options: Set<String> = []

  /// The options of a command line. Throws where one is given twice: only the last would have an effect.
  static func names(in words: [String]) throws -> Set<String> {
    let short: [Character: String] = ["i": "interface", "o": "output"]
    if let name = words.repeatedOption(short: short) { throw ValidationError("--\(name) is given twice") }
    return words.optionNames(short: short)
  }

  /// Options, apart by spaces; whether they are without effect; and why, or what to do instead, to be read behind the name.
  typealias Row = (options: String, isIdle: Bool, words: String)

  /// Throws where two files are the same one, each by what stands for it on the command line: `--html`, `the recording`. The
  /// files of `--protocol` and `--network` are among them.
  static func refuseSame(_ read: [SameFile.Named], to written: [SameFile.Named]) throws {
    let protocols = Loaded.paths.map { (name: "--protocol", path: String?.some($0)) }
    let networks = Array(CommandLine.arguments.dropFirst()).values(of: "--network")
      .map { (name: "--network", path: String?.some(NetworkLibrary().path(of: $0))) }
    if let same = SameFile(among: protocols + networks + read, to: written) { throw ValidationError("\(same)") }
  }

  /// Throws what the first row says whose options have no effect, and of which one was given: `--min requires --forces`.
  static func refuse(_ rows: Row...) throws {
    for row in rows where row.isIdle {
      let given = row.options.split(separator: " ").first { options.contains(String($0)) }
      if let given { throw ValidationError("--\(given) \(row.words)") }
    }
  }
}
