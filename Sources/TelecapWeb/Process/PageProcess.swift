import TelecapPlatform
import TelecapText
import TelecapTransport

/// Serves the pages of a running command in a separate process, so that a crash of a page or the server ends neither a
/// recording nor a relay. A crashed server is restarted at the same address.
public struct PageProcess: Sendable {
  private let pages: LivePages
  private let address: HostPort
  private let command: [String]
  private let tell: @Sendable (String) -> Void
  private let token = PageGate.newToken()

  /// - Parameters:
  ///   - address: the address to listen on.
  ///   - command: the arguments with which this program serves pages (`PageServing`), without its name.
  ///   - tell: logs messages for the user at the terminal.
  public init(
    _ pages: LivePages, at address: HostPort, by command: [String], tell: @escaping @Sendable (String) -> Void
  ) {
    (self.pages, self.address, self.command, self.tell) = (pages, address, command, tell)
  }

  /// Serves the pages while `body` runs, which starts once they are available. At its end they show the last state.
  ///
  /// - Parameter ready: receives the address of the first page.
  /// - Throws: `PageServerError` if the server cannot be started; any error of `body`.
  public func run<Value: Sendable>(
    ready: @escaping @Sendable (String) async -> Void, during body: () async throws -> Value
  ) async throws -> Value {
    let (stop, isSettled, hasFailed) = (StopFlag(), StopFlag(), StopFlag())
    return try await withThrowingTaskGroup(of: Void.self) { group in
      for page in pages.pages { if let site = page.site { group.addTask { await site.run(until: stop) } } }
      group.addTask {
        do {
          try await serve(until: stop) { address in
            await ready(address)
            isSettled.raise()
          }
        } catch {
          hasFailed.raise()
          isSettled.raise()
          stop.raise()
          throw error
        }
      }
      try await isSettled.waitUntilRaised()
      if hasFailed.isRaised { try await group.waitForAll() }
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      stop.raise()
      try await group.waitForAll()
      return try result.get()
    }
  }

  /// Starts the server, and restarts it after a crash.
  ///
  /// - Throws: `PageServerError` if it exits before its pages were available for the first time; later crashes are
  ///   logged.
  private func serve(until stop: StopFlag, ready: @escaping @Sendable (String) async -> Void) async throws {
    let open = Locked<UInt16?>(nil)
    var restarts = PageRestarts()
    while true {
      let words = await serveOnce(until: stop, open, ready: ready)
      if stop.isRaised { return }
      guard open.with({ $0 }) != nil else { throw PageServerError(address: address.description, reason: words) }
      guard let pause = restarts.pause(at: ContinuousClock.now) else {
        return tell("\(words), for the \(PageRestarts.most + 1)th time: the pages are gone, all else goes on")
      }
      tell("\(words): it is started again at the same address")
      try? await Task.sleep(for: pause)
    }
  }

  /// Starts the server, and returns the reason for its exit.
  ///
  /// - Parameter open: the port of the pages, once they are available.
  private func serveOnce(
    until stop: StopFlag, _ open: Locked<UInt16?>, ready: @escaping @Sendable (String) async -> Void
  ) async -> String {
    var address = address
    let former = open.with { $0 }
    address.port = former ?? address.port
    let talk = PageTalk(pages, pages.assignment(token: token, at: address), stop, tell) { address, port in
      open.with { $0 = port }
      if former == nil { await ready(address) }
    }
    do {
      let end = try await OwnProcess.run(command) { try await talk.run(over: $0, kill: $1) }
      return talk.failure ?? "the process that serves the pages ended with \(end ?? "status 0")"
    } catch {
      return "\(error)"
    }
  }
}

/// The delays before restarts of a crashed server: short at first, then longer. A server that keeps crashing is given
/// up.
struct PageRestarts {
  private var last: ContinuousClock.Instant?
  private var count = 0

  /// The maximum number of restarts in a row, each less than `calm` after the one before.
  static let most = 6
  /// The run time after which the count starts again.
  static let calm = Duration.seconds(60)

  /// The delay before the next start; nil to give up.
  mutating func pause(at now: ContinuousClock.Instant) -> Duration? {
    if let last, now - last >= PageRestarts.calm { count = 0 }
    last = now
    count += 1
    return count > PageRestarts.most ? nil : .milliseconds(25 << count)
  }
}
