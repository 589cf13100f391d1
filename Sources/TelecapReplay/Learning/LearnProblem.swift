import TelecapFiles
import TelecapText

/// The reason why the output mapping of a program cannot be inferred.
public enum LearnProblem: Advising, Hashable, Sendable {
  /// No program is named after `--`.
  case noProgram
  /// Programs of this part are not supported; those of these parts are.
  case noPart(String, among: [String])
  /// The argument at this index, from 1, is empty.
  case emptyArgument(Int)
  /// The output file is a file of the program.
  case ownFile(SameFile)
  /// The program gets no port, and its own port is unknown.
  case unknownPlace(isTold: Bool)
  /// The program cannot be reached, for this reason; and whether its command contains no port or code.
  case notReached(String, namesNothing: Bool)

  /// The cause of the problem.
  var kind: ReplayProblem.Kind {
    switch self {
    case .noProgram, .noPart, .emptyArgument, .ownFile: .request
    case .unknownPlace, .notReached: .unavailable
    }
  }

  private static let quoting =
    "a shell replaces $UDP and $CODE unless they are in single quotes: --port '$UDP' --code '$CODE'"

  /// The advice.
  public var advice: String {
    switch self {
    case .noProgram: "write it after two dashes: telecap learn --role host -- python3 robot.py --port '$UDP'"
    case .noPart(let name, let names): Spelling.nearest(to: name, among: names).map { "did you mean \($0)?" } ?? ""
    case .emptyArgument: LearnProblem.quoting
    case .ownFile: ""
    case .unknownPlace(let isTold):
      isTold
        ? "pass it the port as an argument: --port '$UDP'"
        : "this system does not show where programs listen: pass it the port as an argument: --port '$UDP'"
    case .notReached(let why, let namesNothing):
      why.contains("answers BAD_CODE")
        ? "pass it the code as an argument, '$CODE', or give its own: --code XYZ789"
        : namesNothing ? LearnProblem.quoting : "see that it runs by itself; --within 60s waits longer"
    }
  }
}

extension LearnProblem: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .noProgram: "no program is named"
    case .noPart(let name, let names):
      "the output of a \(name) cannot be learned; that of \(names.list(or: false)) can"
    case .emptyArgument(let place): "argument \(place) of the program is empty"
    case .ownFile(let same): "\(same)"
    case .unknownPlace: "where the program listens is not known"
    case .notReached(let why, _): "the program: \(why)"
    }
  }
}
