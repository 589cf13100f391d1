// mutants [--jobs N] [--scenarios FOLDER] [--equivalent FILE] [PATTERN…]: runs the suite's scenarios against every mutant (or
// those whose names match a pattern), prints the score and who survived, and ends with 1 when one did that is not listed as
// equivalent, or when a line of that list is not true any more, or when a requirement catches no mutant that all others pass
// (--witnesses: which each catches; only in a run over all mutants).
// mutants --list [PATTERN…]: their names, their kinds of change, and what must catch them.
// mutants --explain PATTERN…: every requirement that each of these fails, with the scenarios that show it.
import Foundation
import TelecapMutants
import TelecapReplay

/// What was asked for on the command line.
private struct Asked {
  enum Work { case judge, list, explain }

  var work = Work.judge
  var jobs = 2
  var scenarios: String?
  var equivalents = "Tests/Mutants/equivalent.txt"
  var tellsWitnesses = false
  var patterns: [Glob] = []

  init(_ words: some Sequence<String>) throws(Stop) {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      switch word {
      case "--list": work = .list
      case "--explain": work = .explain
      case "--witnesses": tellsWitnesses = true
      case "--jobs":
        let value = try Asked.value(of: word, &words)
        guard let number = Int(value), number > 0 else {
          throw Stop(64, "--jobs \(value): give a number from 1 on")
        }
        jobs = number
      case "--scenarios": scenarios = try Asked.value(of: word, &words)
      case "--equivalent": equivalents = try Asked.value(of: word, &words)
      case _ where word.hasPrefix("-"): throw Stop(64, "no option \(word)")
      default: patterns.append(Glob(word))
      }
    }
  }

  private static func value(of option: String, _ words: inout ArraySlice<String>) throws(Stop) -> String {
    guard let value = words.popFirst() else { throw Stop(64, "\(option) needs a value") }
    return value
  }

  func mutants() throws(Stop) -> [Mutant] {
    let chosen = Mutants.all.filter { mutant in patterns.isEmpty || patterns.contains { $0.matches(mutant.name) } }
    if chosen.isEmpty { throw Stop(64, "no mutant is called \(patterns.map(\.description).joined(separator: " or "))") }
    return chosen
  }
}

/// The end, with its exit status and why.
private struct Stop: Error {
  let status: Int32
  let words: String

  init(_ status: Int32, _ words: String) { (self.status, self.words) = (status, words) }
}

@main
private enum MutantsProgram {
  static func main() async {
    do {
      let asked = try Asked(CommandLine.arguments.dropFirst())
      let isWell = try await run(asked, try asked.mutants())
      exit(isWell ? 0 : 1)
    } catch let stop as Stop {
      tell(stop.words)
      exit(stop.status)
    } catch {
      tell("\(error)")
      exit(65)
    }
  }

  private static func tell(_ words: String) {
    FileHandle.standardError.write(Data("mutants: \(words)\n".utf8))
  }

  private static func run(_ asked: Asked, _ mutants: [Mutant]) async throws -> Bool {
    if asked.work == .list {
      for mutant in mutants {
        print("\(mutant)\t\(mutant.kind.rawValue)\t\(mutant.requirements.joined(separator: " "))")
      }
      return true
    }
    let runner = MutantRunner(try ScenarioFolder(asked.scenarios).read() + Mutants.declaredScenarios)
    try runner.checkRightModels()
    if asked.work == .explain {
      for mutant in mutants {
        print(mutant)
        for (requirement, scenarios) in try runner.failures(of: mutant).sorted(by: { $0.key < $1.key }) {
          print("  \(requirement): \(scenarios.sorted().joined(separator: " "))")
        }
      }
      return true
    }
    return try await judge(mutants, asked, runner)
  }

  /// The requirements that catch no mutant by themselves; how many do is printed, and with `--witnesses` which.
  private static func withoutWitness(
    _ mutants: [Mutant], _ fates: [String: Fate], _ asked: Asked, _ runner: MutantRunner
  ) async throws -> [OnlyWitnesses.Row] {
    let only = try await OnlyWitnesses(mutants, fates, runner, jobs: asked.jobs)
    if asked.tellsWitnesses {
      for row in only.rows where row.isAlone { print("\(row.requirement)\t\(row.mutant?.name ?? "")") }
    }
    print("\(only.rows.count { $0.isAlone }) of \(only.rows.count) requirements catch a mutant that no other does")
    return only.missing
  }

  private static func judge(_ mutants: [Mutant], _ asked: Asked, _ runner: MutantRunner) async throws -> Bool {
    guard let list = FileManager.default.contents(atPath: asked.equivalents) else {
      throw Stop(66, "\(asked.equivalents) cannot be read; name the list with --equivalent")
    }
    let equivalents = try Equivalents(String(decoding: list, as: UTF8.self), file: asked.equivalents)
    var fates: [String: Fate] = [:]
    let time = try await ContinuousClock().measure { fates = try await runner.fates(of: mutants, jobs: asked.jobs) }
    let score = Score(mutants, fates, equivalents)
    print(score.table)
    print("\n\(score.summary), \(runner.count) cases, \(time.components.seconds) s")
    for line in score.lines { print(line) }
    // A line about mutants that were not asked for is about some all the same.
    let wrong = equivalents.wrong(after: fates, all: Mutants.all.map(\.name), file: asked.equivalents)
    for line in wrong { print(line) }
    let reached = try await asked.patterns.isEmpty ? runner.reached(Mutants.unreachable, jobs: asked.jobs) : []
    for name in reached { print("a run reaches \(name): it is a mutant, and belongs out of Unreachable.rows") }
    let unseen = try await asked.patterns.isEmpty ? withoutWitness(mutants, fates, asked, runner) : []
    for row in unseen {
      let nearest = row.mutant.map { "; nearest is \($0), caught by \(row.others.joined(separator: " ")) as well" }
      print("no mutant is caught by \(row.requirement) alone\(nearest ?? "")")
    }
    return score.survivors.isEmpty && wrong.isEmpty && reached.isEmpty && unseen.isEmpty
  }
}
