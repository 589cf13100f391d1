import CSockets
import NIOPosix
import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire

/// A program under test to which a relay forwards the traffic of live peers. It is started for one run of any length,
/// whose deliveries and output are logged like those of other runs.
public struct RelayedProgram: Sendable {
  /// The result of a run.
  public struct Run: Sendable {
    /// The log.
    public var log: RunLog
    /// The relays.
    public var routes: [Relay.Route]
    /// The counts of each relay.
    public var counts: [RelayCounts]
    /// The setup of the program.
    public var setup: Setup
    /// Whether it ended because its log was full: `EndLogs.mostEvents`.
    public var isFull: Bool
  }

  private let system: ProgramSystem
  private let setup: Setup

  /// The program of this system, with this code unless its file has its own.
  public init(_ system: ProgramSystem, code: String) {
    self.system = system
    setup = Setup(part: system.file.part, code: system.code ?? code)
  }

  /// Starts the program, and relays to it from these addresses until `isOver` returns true or the program exits.
  ///
  /// - Parameters:
  ///   - listen: the listening addresses; the target is the program's own address.
  ///   - desk: the controller of the relay.
  ///   - keeper: a further consumer of the traffic; nil for none.
  ///   - glance: reads the log at run time.
  ///   - tell: is called with the listening addresses once the program is ready.
  /// - Throws: `SystemError` when the program cannot be started or has none of these transports; `RelayError`.
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

  /// The relays with the program's own addresses as targets, and the ports that identify its protocol there.
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
      // Its file determines its protocol at any port.
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

/// Logs the traffic between a program and its live peers.
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
  /// The worst lateness of this machine so far.
  var lateness: RunLateness { RunLateness(woke: probe.worst, waited: delay.worst) }

  deinit { probe.end() }

  func begin(_ routes: [Relay.Route], _ ports: Ports) {}

  func goesOn(_ tallies: [RelayTally]) -> Bool { !logs.isFull }

  func end(_ tallies: [RelayTally]) {
    let lateness = RunLateness(woke: probe.end(), waited: delay.end())
    if let log = logs.finish(lateness: lateness).logs.first?.log { finished = log }
  }
}
