import CSockets
import NIOPosix
import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire

/// A program under test to which a relay passes on what living peers say: it is started for one run, which lasts until
/// somebody ends it, and what reached it and what it showed are kept as the log of any other run.
public struct RelayedProgram: Sendable {
  /// What a run came to.
  public struct Run: Sendable {
    /// All that happened.
    public var log: RunLog
    /// The relays, and what they did.
    public var routes: [Relay.Route]
    /// What each did.
    public var counts: [RelayCounts]
    /// How the program was set up.
    public var setup: Setup
    /// It ended since its log was full: `EndLogs.mostEvents`.
    public var isFull: Bool
  }

  private let system: ProgramSystem
  private let setup: Setup

  /// The program of this system, which takes this code unless its file says its own.
  public init(_ system: ProgramSystem, code: String) {
    self.system = system
    setup = Setup(part: system.file.part, code: system.code ?? code)
  }

  /// Starts the program, and relays to it from these addresses until `isOver` says so or the program ends.
  ///
  /// - Parameters:
  ///   - listen: what to listen on; where to pass on to is the program's own address.
  ///   - desk: from where the relay is looked at and changed.
  ///   - keeper: makes something of what is passed on meanwhile; nil where nobody does.
  ///   - glance: who looks at the log meanwhile.
  ///   - tell: is told where it listens once the program is ready.
  /// - Throws: `SystemError` when the program cannot be started or speaks over none of these carriers; `RelayError`.
  public func run(
    _ listen: [RelaySpec], _ network: RelayNetwork?, ports: Ports, desk: RelayController? = nil,
    keeper: (any RelayConsumer)? = nil, glance: RelayGlance? = nil, isOver: () -> Bool, tell: (Relay.Route) -> Void
  ) async throws -> Run {
    let script = Script(
      actions: [], meant: [Action(time: .zero, peer: "probe", work: .open)], plan: [], responder: .silent, setup: setup,
      end: .zero)
    let stage = try await system.start(script)
    do {
      let (specs, ports) = try reached(listen, stage.place, ports)
      let log = ProgramLog(system.file, stage.program)
      let logs = log.logs
      var (glances, sofar) = (LiveVerdictThrottle(glance, setup), RunLog(shows: system.file.aspects, settle: 0))
      let relays = try await Relay.run(
        specs, for: [log as (any RelayConsumer)?, keeper].compactMap { $0 }, ports: ports, network: network, desk: desk,
        isOver: { isOver() || stage.program.ending != nil || stage.output.isFlood }, tell: tell
      ) {
        try stage.readFeeds()
        glances.offer {
          logs.add(to: &sofar, lateness: log.lateness)
          return RunLogBuilder.add(stage.output.lines, since: logs.beginning, to: sofar, of: system.file)
        }
      }
      await glances.end()
      try stage.readFeeds()
      var finished = log.finished
      if let ending = stage.program.ending {
        finished.note(.broke(ending), at: finished.end)
      } else if stage.output.isFlood {
        finished.note(.broke("it flooded its output"), at: finished.end)
      }
      await stage.program.end(by: system.file.ending.signal, withinNanoseconds: system.file.endsWithin)
      let all = RunLogBuilder.add(stage.output.take(), since: logs.beginning, to: finished, of: system.file)
      return Run(log: all, routes: relays.routes, counts: relays.counts, setup: setup, isFull: logs.isFull)
    } catch {
      await stage.program.end(by: system.file.ending.signal, withinNanoseconds: system.file.endsWithin)
      throw error
    }
  }

  /// The relays with the program's own addresses as their targets, and ports by which it is known what it speaks there.
  private func reached(
    _ listen: [RelaySpec], _ place: SystemAddresses, _ ports: Ports
  ) throws(SystemError) -> ([RelaySpec], Ports) {
    var (specs, ports) = (listen, ports)
    for index in specs.indices {
      let carrier = specs[index].carrier
      guard let address = carrier == .udp ? place.udp : place.tcp else {
        throw SystemError("\(system.name) speaks no \(carrier.name): its file names no address for it")
      }
      specs[index].target = HostPort(host: address.address.description, port: address.port)
      // What it speaks is known by its file, at whatever port it is.
      for entry in ports.entries
      where entry.dialect.owner === setup.part.role?.owner && entry.row.carrier == carrier
        && entry.row.end != .listener
      {
        ports[entry.row.id] = address.port
      }
    }
    return (specs, ports)
  }
}

/// Keeps what a program and its living peers say to each other.
private final class ProgramLog: RelayConsumer {
  let logs: EndLogs
  private let probe = LatenessProbe()
  private let delay: SchedulingDelay
  private(set) var finished: RunLog

  init(_ file: SystemFile, _ program: Program) {
    delay = SchedulingDelay(of: program.id)
    logs = EndLogs(program: file.part.role, shows: file.aspects)
    finished = RunLog(shows: file.aspects)
  }

  var observer: any RelayObserver { logs }
  /// How late this machine was at worst so far.
  var lateness: RunLateness { RunLateness(woke: probe.worst, waited: delay.worst) }

  deinit { probe.end() }

  func begin(_ routes: [Relay.Route], _ ports: Ports) {}

  func goesOn(_ tallies: [RelayTally]) -> Bool { !logs.isFull }

  func end(_ tallies: [RelayTally]) {
    let lateness = RunLateness(woke: probe.end(), waited: delay.end())
    if let log = logs.finish(lateness: lateness).logs.first?.log { finished = log }
  }
}
