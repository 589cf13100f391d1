import NIOCore
import NIOHTTP1
import TelecapConformance
import TelecapPlatform
import TelecapReplay
import TelecapReport
import TelecapStore
import TelecapTransport

/// Serves captures to browsers: on one address, protected by a token, read-only.
public struct PageServer: Sendable {
  /// The address that it listens on.
  public let address: HostPort
  private let token: String
  private let sites: [any PageSite]
  private let connections = PageConnections()

  /// A server of these captures, by their names.
  ///
  /// - Parameters:
  ///   - suites: the suites for receivers.
  ///   - reading: the values of `--protocol`, `--port` and `--gatt` with which they are read.
  ///   - plans: the paths of plans of the only capture, from which the effects of networks are computed.
  /// - Throws: `StoreError` if a capture cannot be read; `SavedPlanError` if a plan was not made for it.
  public init(
    _ captures: [ShownCapture], at address: HostPort, suites: Suites, tool: String,
    readBy reading: (protocols: [String], ports: [String], attributes: [String]) = ([], [], []),
    plans: [String] = []
  ) throws {
    let options =
      reading.protocols.flatMap { ["--protocol", $0] } + reading.ports.flatMap { ["--port", $0] }
      + reading.attributes.flatMap { ["--gatt", $0] }
    try self.init(
      captures.enumerated().map { place, capture in
        let others = captures.count == 1 ? [] : captures.enumerated().filter { $0.offset != place }
        return try capture.site(
          others: others.map { (name: $0.element.name, href: "../\($0.offset)/") }, suites: suites, tool: tool,
          options: options, plans: plans)
      }, at: address)
  }

  /// A server that compares results of `conform` side by side.
  ///
  /// - Parameter paths: the result files, which are reread when they change.
  public init(_ results: [ConformanceResults], of paths: [String], at address: HostPort, tool: String) {
    self.init([ResultsSite(results, of: paths, tool: tool)], at: address)
  }

  init(_ sites: [any PageSite], at address: HostPort, token: String = PageGate.newToken()) {
    (self.address, self.sites, self.token) = (address, sites, token)
  }

  /// Whether a capture contains data that telecap does not write, or its file is damaged.
  public var isDamaged: Bool { sites.contains { $0.isDamaged } }

  /// Notes for the user at the end, as sentences: captures that were not checked for damage, and rejected connections.
  public var notes: [String] { sites.compactMap(\.unchecked) + refusals }

  /// The rejected connections, as sentences.
  public var refusals: [String] { [connections.refused].compactMap(\.self) }

  /// Serves until `stop` is raised.
  ///
  /// - Parameter ready: receives the address of the first page once it is available.
  /// - Throws: `PageServerError` if listening on the address fails.
  public func run(stop: StopFlag, ready: @escaping @Sendable (String) async -> Void) async throws {
    let gate = Locked<PageGate?>(nil)
    let (host, port) = (address.host, Int(address.port ?? 0))
    let isOpen = PageServer.wildcards[host] != nil
    let server = HTTPServer(connections: connections, maxBodyLength: PageServer.longestForm) { request in
      await respond(to: request, gate.with { $0 })
    }
    // Interrupt the queries of captures at the end, because they may take seconds.
    let interrupting = Task.detached { [sites] in
      try await stop.waitUntilRaised()
      while !Task.isCancelled {
        for site in sites { site.interrupt() }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    defer { interrupting.cancel() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await server.run(host: host, port: port) { port in
            let own = HostPort(host: PageServer.reachable(host), port: UInt16(port)).description
            gate.with {
              $0 = PageGate(
                token: token, hosts: [own.lowercased(), "localhost:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)"],
                takesChanges: sites.contains { $0.takesChanges }, port: isOpen ? UInt16(port) : nil)
            }
            await ready("http://\(own)/\(token)/0/")
          }
        } catch let error as IOError {
          throw PageServerError(
            address: address.description, reason: SocketError.words(for: error.errnoCode))
        } catch  where !(error is CancellationError) {
          // The error for an address that the system does not have differs between systems.
          throw PageServerError(address: address.description, reason: "the system refuses it (\(error))")
        }
      }
      group.addTask { try await runSites(until: stop) }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Wildcard addresses, and the addresses for a browser on the same machine.
  private static let wildcards = ["0.0.0.0": "127.0.0.1", "::": "::1"]

  private static func reachable(_ host: String) -> String { wildcards[host] ?? host }

  /// Runs the live pages; at the end waits until they have shown the last state.
  private func runSites(until stop: StopFlag) async throws {
    let feeds = sites.compactMap(\.feed)
    await withTaskGroup(of: Void.self) { group in
      for site in sites { group.addTask { await site.run(until: stop) } }
      group.addTask {
        var looks = 0
        while !stop.isRaised, !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(20))
          looks += 1
          if looks % 250 == 0 { feeds.forEach { $0.repeatNewest() } }
        }
      }
    }
    try await stop.waitUntilRaised()
    for feed in feeds { await feed.waitUntilLeft() }
  }

  private func respond(to request: HTTPExchange.Request, _ gate: PageGate?) async -> HTTPExchange.Response {
    let target = request.target
    var asked = PageRequest(
      method: request.head.method.rawValue, path: target.path, query: PageQuery.values(in: target.query),
      host: target.host, origin: request.head.headers.first(name: "Origin"))
    if asked.method == "GET", let news = news(asked, gate) {
      let body: HTTPExchange.Response.Body = .streamed { write in for await one in news { try await write(one.event) } }
      return .init(status: 200, headers: headers(of: "text/event-stream"), body: body)
    }
    if asked.method == "POST" { asked.form = PageQuery.values(in: String(buffer: request.body)) }
    let answer = await answer(asked, gate)
    var headers = headers(of: answer.type)
    if answer.status == 302 {
      headers.add(name: "Location", value: answer.body)
      return .init(status: 302, headers: headers)
    }
    return .init(status: answer.status, headers: headers, body: .whole(answer.body))
  }

  private func headers(of type: String) -> HTTPHeaders {
    HTTPHeaders([("Content-Type", type)] + PageAnswer.headers)
  }

  /// The news for a live page; nil for another request, or without room.
  func news(_ request: PageRequest, _ gate: PageGate?) -> AsyncStream<PageFeed.News>? {
    guard case .pass(let parts) = gate?.decide(request), parts.count == 2, parts[1] == PageServer.events else {
      return nil
    }
    return site(parts)?.feed?.listen()
  }

  func answer(_ request: PageRequest, _ gate: PageGate?) async -> PageAnswer {
    guard let gate else { return .problem(503, "Not yet.") }
    switch gate.decide(request) {
    case .refuse(let answer): return answer
    case .pass(let parts):
      if parts == [""] { return PageAnswer(status: 302, body: "/\(token)/0/") }
      guard let site = site(parts) else { return .problem(404, "There is no such page.") }
      if parts.count == 2, parts[1] == PageServer.events, site.feed != nil {
        return .problem(503, "\(PageFeed.mostListeners) pages follow already: close one.")
      }
      do {
        if request.method == "POST" { return try await site.change(Array(parts.dropFirst()), request.form) }
        return try await site.answer(Array(parts.dropFirst()), request.query)
      } catch {
        return .problem(500, "\(error)")
      }
    }
  }

  /// The maximum length of a form in bytes; a longer one is rejected.
  private static let longestForm = 4_096

  /// The path of a page's event stream.
  private static let events = "events"

  private func site(_ parts: [String]) -> (any PageSite)? {
    guard parts.count > 1, let number = Int(parts[0]), sites.indices.contains(number) else { return nil }
    return sites[number]
  }
}

/// The pages below one address.
protocol PageSite: Sendable {
  /// The answer to a path below the address.
  func answer(_ parts: [String], _ query: [String: String]) async throws -> PageAnswer
  /// Whether pages can change something.
  var takesChanges: Bool { get }
  /// Executes a form, and answers with the result.
  func change(_ parts: [String], _ form: [String: String]) async throws -> PageAnswer
  /// The news for live pages; nil if nothing changes.
  var feed: PageFeed? { get }
  /// Interrupts the running queries of a capture.
  func interrupt()
  /// Whether a capture contains data that telecap does not write, or its file is damaged.
  var isDamaged: Bool { get }
  /// A sentence if the check of a capture for damage did not finish; nil otherwise.
  var unchecked: String? { get }
  /// Updates the pages until their content is complete or `stop` is raised.
  func run(until stop: StopFlag) async
}

extension PageSite {
  var takesChanges: Bool { false }
  func change(_ parts: [String], _ form: [String: String]) async throws -> PageAnswer {
    .problem(405, "Nothing can be changed here.")
  }
  var feed: PageFeed? { nil }
  func interrupt() {}
  var isDamaged: Bool { false }
  var unchecked: String? { nil }
  func run(until stop: StopFlag) async {}
}

/// Listening on the address failed.
public struct PageServerError: Error, CustomStringConvertible {
  let address: String
  let reason: String

  public var description: String { "cannot listen on \(address): \(reason)" }
}
