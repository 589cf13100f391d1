import TelecapRecording

/// What a flow's ports say about its payloads.
public struct PortMatch: Hashable, Sendable {
  /// How its messages look.
  public var dialect: Dialect
  /// Which way it goes.
  public var direction: Direction
}

extension Ports {
  /// What the payloads of `flow` are, or nil when neither port is ours (TELE, Transports; Mouse, WiFi packet).
  public func match(_ flow: Flow) -> PortMatch? {
    let (source, destination) = (flow.source.port, flow.destination.port)
    switch flow.carrier {
    case .udp:
      if destination == teleBeacon { return PortMatch(dialect: .teleUDP, direction: .hostToPhone) }
      return match(source, destination, teleUDP, .teleUDP) ?? match(source, destination, mouseUDP, .mouse)
    case .tcp:
      return match(source, destination, teleTCP, .teleTCP) ?? match(source, destination, mouseTCP, .mouse)
    }
  }

  /// The host is the end with the port; when both ends have it, the messages themselves have to tell.
  private func match(_ source: UInt16, _ destination: UInt16, _ host: UInt16, _ dialect: Dialect) -> PortMatch? {
    guard source == host || destination == host else { return nil }
    let direction: Direction = source == destination ? .unknown : destination == host ? .phoneToHost : .hostToPhone
    return PortMatch(dialect: dialect, direction: direction)
  }
}
