import TelecapRecording
import TelecapTransport
import TelecapWire

extension ReplayRoutes {
  /// The routes for the flows of a recording: to `target`, or to this machine at the recorded ports where it is nil. A
  /// port of `target` is for datagrams, or for byte streams if there are no datagrams.
  ///
  /// - Parameter tcpPort: the port for byte streams, in place of that of `target`.
  /// - Throws: `ReplayProblem.noAddress`; `ResolutionError`; `DestinationError` where the destination is forbidden.
  public init(of source: ReplaySource, _ survey: RecordingScan, to target: HostPort?, tcpPort: UInt16?) throws {
    var address = IPAddress.loopback
    if let target {
      if survey.reading.flows.contains(where: { $0.carrier == .ble }) { throw ReplayProblem.overBluetooth(source.role) }
      guard let first = try target.resolve().first else { throw ReplayProblem.noAddress("\(target)") }
      address = first.address
    }
    self.init(
      survey.reading.flows, ports: source.ports, to: address, udp: target?.port,
      tcp: tcpPort ?? (survey.datagrams == 0 ? target?.port : nil), reach: target == nil ? .loopback : .anyHost,
      keepsSource: source.role.side == .host)
    try check()
  }
}
