import ArgumentParser
import TelecapFiles
import TelecapTransport
import TelecapWeb

/// `--view`: a live page of a running command.
struct PageOptions: ParsableArguments {
  @Flag(name: .customLong("view"), help: "Show live progress in a browser, on a page that only this machine can open.")
  var isAsked = false

  @Flag(name: .long, help: "With --view: only print the page's address; open no browser.")
  var noOpen = false

  func validate() throws { try Given.refuse(("no-open", !isAsked, "requires --view")) }

  /// The address of the page: localhost at any port.
  static let address = HostPort(host: "127.0.0.1", port: nil)

  /// Serves these pages while `body` runs, and prints their address.
  ///
  /// - Parameter reading: the options with which the captures among them are read.
  func serve<Value: Sendable>(_ pages: LivePages, reading: [String] = [], during body: () async throws -> Value)
    async throws -> Value
  {
    let process = PageProcess(
      pages, at: PageOptions.address, by: [PageServerCommand.name] + reading, tell: { Console.say("view: \($0)") })
    return try await process.run(
      ready: { [opens = !noOpen] in await PageOptions.tell($0, opening: opens, by: { Console.say("view \($0)") }) },
      during: body)
  }

  /// Runs a suite and serves its page, if there is one, until a signal stops it.
  func serve<Value: Sendable>(_ suite: ShownSuite?, _ body: () async throws -> Value) async throws -> Value {
    guard let suite else { return try await body() }
    return try await serve(LivePages(suite)) {
      let value = try await body()
      Console.say("the results stay on the page until Ctrl-C")
      try await StopFlag.signals.waitUntilRaised()
      return value
    }
  }

  /// Prints the address of a page, and opens it in a browser if `opening` is true.
  static func tell(_ address: String, opening: Bool, by say: (String) -> Void) async {
    say(address)
    if opening, await !Browser.open(address) { Console.say("no browser could be opened: open the address above") }
  }
}
