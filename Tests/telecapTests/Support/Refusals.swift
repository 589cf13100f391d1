import TelecapTestSupport

@testable import telecap

extension Program {
  /// The refusal of a command line by the parser, in this process; a line that the parser accepts is run by the program.
  static func refuse(_ arguments: [String]) throws -> Finished {
    guard let (status, message) = Telecap.refusal(of: arguments) else { return try run(arguments) }
    return Finished(status: status, output: "", errors: message)
  }

  /// The same with arguments in one text, split at spaces.
  static func refuse(_ line: String) throws -> Finished { try refuse(line.split(separator: " ").map(String.init)) }
}
