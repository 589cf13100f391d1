import TelecapConformance
import TelecapFiles
import TelecapReport
import TelecapTransport

/// The process that serves the pages of a command, which started it (`PageProcess`).
public enum PageServing {
  /// Serves the pages that the command sends over a socket, until it sends a stop or exits.
  ///
  /// - Parameters:
  ///   - descriptor: our end of that socket, which is closed at the end.
  ///   - recording: reads the capture at a path.
  /// - Throws: `PageServingError` if no command is connected.
  public static func run(
    _ descriptor: CInt, suites: Suites, tool: String,
    recording: @escaping @Sendable (String) throws -> Recording
  ) async throws {
    try await PageChannel.with(descriptor) { channel, send in
      guard case .start(let start)? = await channel.next() else { throw PageServingError() }
      let (stop, hasBegun) = (StopFlag(), StopFlag())
      let questions = PageQuestions(send)
      let sites = try start.sites(questions, suites: suites, tool: tool) { path in
        guard hasBegun.isRaised else { throw PageServingError() }
        return try recording(path)
      }
      let server = PageServer(sites, at: HostPort(host: start.host, port: start.port), token: start.token)
      let serving = Task {
        do {
          try await server.run(stop: stop) { await send(.ready(address: $0, port: PageServing.port(of: $0))) }
        } catch {
          await send(.failed("\(error)"))
        }
      }
      while !stop.isRaised, let message = await channel.next() {
        switch message {
        case .begun: hasBegun.raise()
        case .answer(let answer, let number): questions.take(answer, to: number)
        case .news(let news, let page):
          if sites.indices.contains(page) { sites[page].feed?.take(news) }
        case .stop: stop.raise()
        default: continue
        }
      }
      stop.raise()
      questions.end()
      await serving.value
      await send(.notes(server.refusals))
    }
  }

  private static func port(of address: String) -> UInt16 {
    let parts = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
    return parts.count > 1 ? (try? HostPort(parsing: String(parts[1])))?.port ?? 0 : 0
  }
}

extension PageAssignment {
  /// The pages as sites of a server.
  fileprivate func sites(
    _ questions: PageQuestions, suites: Suites, tool: String,
    recording: @escaping @Sendable (String) throws -> Recording
  ) throws -> [any PageSite] {
    try pages.enumerated().map { number, page in
      guard let path = page.capture else {
        return RemoteSite(number, takesChanges: page.takesChanges, questions)
      }
      let others = pages.enumerated().filter { $0.offset != number }
      return try ShownCapture(following: path) { try recording(path) }.site(
        others: others.map { (name: $0.element.link, href: "../\($0.offset)/") }, suites: suites, tool: tool)
    }
  }
}

/// The process was not started by a command.
public struct PageServingError: Error, CustomStringConvertible {
  /// The error.
  public init() {}

  public var description: String { "page-server is started by record, relay and conform with --view: run one of these" }
}
