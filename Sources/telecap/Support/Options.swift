import ArgumentParser

/// How data is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// `--format`, the same for every command that prints data.
struct FormatOption: ParsableArguments {
  @Option(name: .long, help: "How to print: text, or json (one object a line for streams).")
  var format: OutputFormat = .text
}
