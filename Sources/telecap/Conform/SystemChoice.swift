import ArgumentParser
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapSuites
import TelecapTransport

/// Which system `--sut` names: `models`, `model:ROLE+FAULT`, `udp://HOST:PORT?role=host`, or a system file.
struct SystemChoice {
  let system: any SystemUnderTest
  /// It runs on the wall clock, one case after the other, and each takes its real time.
  let isOnWallClock: Bool

  /// The system that `text` names, whose part is of one of these suites.
  init(_ text: String, _ suites: Suites) throws {
    do throws(SystemError) {
      if text == EveryModel.name {
        system = EveryModel(suites)
        isOnWallClock = false
        return
      }
      if text.hasPrefix("model:") {
        system = try ModelSystem(parsing: text, in: suites)
        isOnWallClock = false
        return
      }
      if text.hasPrefix("udp://") {
        system = try WireSystem(parsing: text, stop: .signals)
        isOnWallClock = true
        return
      }
    } catch {
      throw Failure(.unavailable, error.description)
    }
    guard text.hasSuffix(".yaml") || text.hasSuffix(".yml") else {
      throw Failure(
        .usage, "--sut: \"\(text)\" is no system",
        advice: "give model:ROLE, a system file that ends in .yaml, or udp://HOST:PORT?role=host")
    }
    let words = try TextFile.read(text)
    do throws(YAMLFileError) {
      system = ProgramSystem(
        try SystemFile(words, file: text, suites: suites), directory: Paths.directory(of: text),
        telecap: Paths.ownProgram, stop: .signals)
      isOnWallClock = true
    } catch {
      throw Failure(.data, error.description)
    }
  }
}

/// `--budget`.
struct BudgetOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long a run on the wall clock may take: grids are sampled, and the longest scenarios left out as not run. (default: 3m)",
      valueName: "time"),
    transform: Parsers.interval)
  var budget: Interval = .seconds(180)
}
