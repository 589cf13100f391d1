import ArgumentParser

@main
struct Telecap: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "telecap", abstract: "x")
}
