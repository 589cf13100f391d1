import CSockets
import NIOPosix
import TelecapConformance
import TelecapModels
import TelecapPlatform
import TelecapRecording
import TelecapWire

/// A session with a program whose output mapping is unknown: its input, and every line that it printed, wrote to a file
/// or sent.
public struct WatchedSession: Sendable {
  /// The log of sent and received messages.
  public var log: RunLog
  /// All lines of output, in order of time since the session began.
  public var lines: [SeenLine]
  /// The start of the program, in ns since the session began.
  public var start: Nanoseconds
  /// The time from its start until it was ready, in ns.
  public var opened: Nanoseconds
  /// The time from its start until its first answer, in ns; nil where no session was requested.
  public var answered: Nanoseconds?
  /// The transports over which it answers session requests.
  public var answersOver: Set<Carrier> = []
  /// The TCP ports at which it listens, where this system reports them.
  public var listensAt: [UInt16] = []

  /// A stage of the work.
  public enum Stage: Hashable, Sendable {
    /// The program answers, or is ready if no session is requested, this time after its start, in ns.
    case ready(after: Nanoseconds)
    /// The session begins, and takes this time, in ns.
    case sending(for: Nanoseconds)
  }
}

extension ProgramSystem {
  /// Starts the program, requests a session until it answers, runs a session, and ends the program. Repeats this once
  /// if telecap was stopped meanwhile or the clock jumped, since output and messages cannot be matched then.
  /// - Parameters:
  ///   - session: the session to run.
  ///   - greetings: the session requests by transport; the answer over the session's own is waited for.
  ///   - tell: is called at each stage, on another thread.
  /// - Throws: `SystemError` when the program cannot be started, is never ready, never answers or rejects the request.
  public func watch(
    _ session: Script, greetings: [Carrier: Script], tell: @escaping @Sendable (WatchedSession.Stage) -> Void = { _ in }
  ) async throws -> WatchedSession {
    let session = code.map { session.replacingCode(with: $0) } ?? session
    let greetings = greetings.mapValues { greeting in code.map { greeting.replacingCode(with: $0) } ?? greeting }
    var turn = try await attempt(session, greetings, tell)
    for _ in 0..<ProgramSystem.repeats where turn.isDisturbed && !stop.isRaised {
      turn = try await attempt(session, greetings, tell)
    }
    if stop.isRaised { throw CancellationError() }
    return try turn.outcome.get()
  }

  /// One attempt, and whether telecap was stopped meanwhile or the clock jumped.
  private func attempt(
    _ session: Script, _ greetings: [Carrier: Script], _ tell: @escaping @Sendable (WatchedSession.Stage) -> Void
  ) async throws -> (outcome: Result<WatchedSession, any Error>, isDisturbed: Bool) {
    let probe = LatenessProbe()
    defer { probe.end() }
    let made = try RunResources(file, session, directory: directory, at: nil)
    made.feeds.growing = GrowingFiles(below: directory, namedIn: file.command)
    let launch = launch(session.setup, made.place)
    let gear = Locked(made)
    let output = ProgramOutput(limit: file.outputLimit)
    let started = telecap_monotonic_ns()
    let program = try await Program.start(launch, into: output)
    let watcher = SessionWatcher(file: file, program: program, output: output, started: started, stop: stop, tell: tell)
    let outcome: Result<(WatchedSession, begin: Nanoseconds), any Error>
    do {
      outcome = .success(
        try await NIOThreadPool.singleton.runIfActive {
          try gear.with { try watcher.watch(session, greetings, $0) }
        })
    } catch {
      outcome = .failure(error)
    }
    await program.end(by: file.ending.signal, withinNanoseconds: file.endsWithin)
    let hasStoodStill = probe.end() >= WallClockRun.standstill
    let watched = outcome.map { watched, begin in
      var watched = watched
      watched.lines = output.take().map { line in
        SeenLine(String(decoding: line.text, as: UTF8.self), at: line.time &- begin, from: gear.source(line.source))
      }
      return watched
    }
    let hasJumped = (try? watched.get())?.log.clockJump != nil
    return (watched, hasStoodStill || hasJumped)
  }

  /// The ports at which the program listens after an ordinary start, polled until there is one; empty where it does not
  /// listen in time, or this system does not report ports.
  /// - Throws: `SystemError` when it cannot be started, or exits.
  public func listeningPorts() async throws -> (udp: [UInt16], tcp: [UInt16], isKnown: Bool) {
    guard OpenPorts.areKnown else { return ([], [], false) }
    let output = ProgramOutput(limit: file.outputLimit)
    let program = try await Program.start(launch(Setup(part: file.part), SystemAddresses()), into: output)
    var deadline = AwakeDeadline(start: telecap_monotonic_ns(), limit: file.readyWithin)
    var ports = OpenPorts(of: program.id)
    while ports.udp.isEmpty, ports.tcp.isEmpty, program.ending == nil, !deadline.isOver(at: telecap_monotonic_ns()),
      !stop.isRaised
    {
      try? await Task.sleep(for: .milliseconds(50))
      ports = OpenPorts(of: program.id)
    }
    let ending = program.ending
    await program.end(by: file.ending.signal, withinNanoseconds: file.endsWithin)
    if let ending { throw SystemError("\(ending) before it listened anywhere\(SessionWatcher.printed(output))") }
    return (ports.udp, ports.tcp, true)
  }
}

extension Locked<RunResources> {
  /// A source that is valid at the next start too.
  fileprivate func source(_ source: SystemFile.Source) -> SystemFile.Source {
    guard case .file(let name) = source else { return source }
    return with { .file($0.feeds.growing?.lastingName(of: name) ?? name) }
  }
}

/// Runs one session with a program. Blocks its thread.
private struct SessionWatcher: Sendable {
  let file: SystemFile
  let program: Program
  let output: ProgramOutput
  let started: Nanoseconds
  let stop: StopFlag
  let tell: @Sendable (WatchedSession.Stage) -> Void

  func watch(
    _ session: Script, _ greetings: [Carrier: Script], _ gear: RunResources
  ) throws -> (WatchedSession, begin: Nanoseconds) {
    let watch = WallClockRun.Watch(program: program, output: output, feeds: gear.feeds)
    if let reason = Readiness.wait(
      for: file.readiness, withinNanoseconds: file.readyWithin, gear.ends, tcp: gear.place.tcp, watch, stop: stop)
    {
      throw SystemError(reason + SessionWatcher.printed(output))
    }
    let opened = telecap_monotonic_ns() &- started
    var answered: Nanoseconds?
    var carriers: Set<Carrier> = []
    for carrier in [session.setup.carrier] + greetings.keys.sorted(by: { $0.name < $1.name }) {
      guard !carriers.contains(carrier), let greeting = greetings[carrier] else { continue }
      let isMain = carrier == session.setup.carrier
      guard let time = try answer(to: greeting, gear.ends, watch, isWaitedFor: isMain) else { continue }
      carriers.insert(carrier)
      if isMain { answered = time &- started }
    }
    tell(.ready(after: answered ?? opened))
    tell(.sending(for: session.end.nanoseconds))
    let run = WallClockRun(session, gear.ends, watch, shows: [], stop: stop)
    let log = try run.run()
    let watched = WatchedSession(
      log: log, lines: [], start: started &- run.begin, opened: opened, answered: answered, answersOver: carriers,
      listensAt: OpenPorts(of: program.id).tcp)
    return (watched, run.begin)
  }

  /// The time of the first accepting answer, on the monotonic clock; nil where it is not waited for.
  private func answer(
    to greeting: Script, _ ends: PeerEnds, _ watch: WallClockRun.Watch, isWaitedFor: Bool
  ) throws -> Nanoseconds? {
    let deadline = telecap_monotonic_ns() &+ file.readyWithin
    repeat {
      let run = WallClockRun(greeting, ends, watch, shows: [], stop: stop)
      let log = try run.run()
      for entry in log.entries {
        guard case .replied(let bytes, _, let carrier) = entry.what, let word = word(of: bytes, over: carrier) else {
          continue
        }
        guard word.isAccepting else {
          if !isWaitedFor { return nil }
          throw SystemError("it answers \(word.text) to who asks for a session with the code \(greeting.setup.code)")
        }
        return run.begin &+ entry.time.nanoseconds
      }
      if let ending = program.ending {
        throw SystemError("\(ending) when it was asked for a session\(SessionWatcher.printed(output))")
      }
    } while isWaitedFor && telecap_monotonic_ns() < deadline && !stop.isRaised
    if !isWaitedFor { return nil }
    throw SystemError("it answers nobody who asks for a session\(SessionWatcher.printed(output))")
  }

  /// The content of an answer, and whether it accepts; nil for another message.
  private func word(of bytes: [UInt8], over carrier: Carrier?) -> (text: String, isAccepting: Bool)? {
    guard let carrier, let owner = file.part.role?.owner, let dialect = owner.dialect(over: carrier) else { return nil }
    var words: [(String, Bool)] = []
    func note(_ message: RawSpan) {
      let kind = MessageDecoder.check(message, as: dialect).kind
      guard kind.answers else { return }
      let code = kind.answerCode(in: message)
      words.append((kind.answerWord(of: code), code == owner.asking?.accepts?.value || owner.asking?.accepts == nil))
    }
    var framer = MessageFramer(dialect, over: carrier)
    framer.receive(bytes.span.bytes) { event, frame in if event == .message { note(frame) } }
    return words.first
  }

  /// The last output, for an error.
  static func printed(_ output: ProgramOutput) -> String {
    let tail = output.tail
    return tail.isEmpty ? "; it printed nothing" : "; it printed: \(tail)"
  }
}
