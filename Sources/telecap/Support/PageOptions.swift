import ArgumentParser
import TelecapFiles
import TelecapTransport
import TelecapWeb

/// `--view`: a page that follows what a command does.
struct PageOptions: ParsableArguments {
  @Flag(name: .customLong("view"), help: "Show in a browser how it goes, on a page of this machine that follows.")
  var isAsked = false

  @Flag(name: .long, help: "With --view: only print the page's address, and open no browser.")
  var noOpen = false

  func validate() throws { try Given.refuse(("no-open", !isAsked, "requires --view")) }

  /// Where it is served: on this machine only, at any port.
  static let address = HostPort(host: "127.0.0.1", port: nil)

  /// Serves these pages while `body` runs, and tells where.
  ///
  /// - Parameter reading: the options by which the capture among them is read.
  func serve<Value: Sendable>(_ pages: LivePages, reading: [String] = [], during body: () async throws -> Value)
    async throws -> Value
  {
    let process = PageProcess(
      pages, at: PageOptions.address, by: [PageServerCommand.name] + reading, tell: { Console.say("view: \($0)") })
    return try await process.run(
      ready: { [opens = !noOpen] in await PageOptions.tell($0, opening: opens, by: { Console.say("view \($0)") }) },
      during: body)
  }

  /// Runs a suite and serves its page, if there is one, until somebody ends that.
  func serve<Value: Sendable>(_ suite: ShownSuite?, _ body: () async throws -> Value) async throws -> Value {
    guard let suite else { return try await body() }
    return try await serve(LivePages(suite)) {
      let value = try await body()
      Console.say("the results stay on the page until Ctrl-C")
      try await StopFlag.signals.waitUntilRaised()
      return value
    }
  }

  /// Tells the address of a page, and opens it in a browser where that is wanted.
  static func tell(_ address: String, opening: Bool, by say: (String) -> Void) async {
    say(address)
    if opening, await !Browser.open(address) { Console.say("no browser could be opened: open the address above") }
  }
}
