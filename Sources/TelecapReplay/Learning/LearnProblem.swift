import TelecapFiles
import TelecapText

/// Why it cannot be found out how a program shows what it does.
public enum LearnProblem: Advising, Hashable, Sendable {
  /// No program is named behind `--`.
  case noProgram
  /// Nothing is known by which a program of this part could be tried; these are.
  case noPart(String, among: [String])
  /// The argument at this place, from 1, is empty.
  case emptyArgument(Int)
  /// The file that is to be written is one of the program's.
  case ownFile(SameFile)
  /// The program is told no port, and where it listens is not known.
  case unknownPlace(isTold: Bool)
  /// The program cannot be spoken to, for this reason; whether its command names no port or code.
  case notReached(String, namesNothing: Bool)

  /// Whose fault it is.
  var kind: ReplayProblem.Kind {
    switch self {
    case .noProgram, .noPart, .emptyArgument, .ownFile: .request
    case .unknownPlace, .notReached: .unavailable
    }
  }

  private static let quoting =
    "a shell replaces $UDP and $CODE unless they are in single quotes: --port '$UDP' --code '$CODE'"

  /// What to do about it.
  public var advice: String {
    switch self {
    case .noProgram: "write it behind two dashes: telecap learn --role host -- python3 robot.py --port '$UDP'"
    case .noPart(let name, let names): Spelling.nearest(to: name, among: names).map { "did you mean \($0)?" } ?? ""
    case .emptyArgument: LearnProblem.quoting
    case .ownFile: ""
    case .unknownPlace(let isTold):
      isTold
        ? "tell it the port by an argument: --port '$UDP'"
        : "this system does not tell where programs listen: tell it the port by an argument: --port '$UDP'"
    case .notReached(let why, let namesNothing):
      why.contains("answers BAD_CODE")
        ? "tell it the code by an argument, '$CODE', or name its own: --code XYZ789"
        : namesNothing ? LearnProblem.quoting : "see that it runs by itself; --within 60s waits longer"
    }
  }
}

extension LearnProblem: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .noProgram: "no program is named"
    case .noPart(let name, let names):
      "how a \(name) shows what it does cannot be learned; of \(names.list(or: false)) it can"
    case .emptyArgument(let place): "argument \(place) of the program is empty"
    case .ownFile(let same): "\(same)"
    case .unknownPlace: "where the program listens is not known"
    case .notReached(let why, _): "the program: \(why)"
    }
  }
}
