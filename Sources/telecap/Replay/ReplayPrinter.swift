import TelecapFiles
import TelecapRecording
import TelecapReport
import TelecapText
import TelecapTransport
import TelecapWire

extension ReplayReport {
  /// What reading and planning came to.
  mutating func take(_ fed: UnitFeeder.Fed) { (rates, planDigest) = (fed.rates, fed.planDigest) }

  /// Prints the report on stdout.
  func print(_ format: OutputFormat) throws {
    var output = Output()
    switch format {
    case .text: for line in text(style: Console.style(for: 1)) { try output.line(line) }
    case .json:
      var json = JSONWriter()
      write(to: &json)
      try output.take(&json)
    }
    try output.flush()
  }
}

extension SendingReport {
  /// What the sockets of this replay came to.
  init(_ replayer: Replayer) {
    self.init()
    let counts = replayer.datagrams
    (sent, bytes, failed) = (counts.sent, counts.bytes, counts.failed)
    if failed > 0 { lastFailure = SocketError.words(for: counts.lastError) }
    (refused, unreachable) = (counts.refused, counts.unreachable)
    (streams, streamBytes) = replayer.streams
    streamErrors = replayer.streamErrors.map(\.description)
    let late = replayer.lateness
    (p50, p95, p99, latest, driftPPM) = (late.p50, late.p95, late.p99, late.max, late.driftPPM)
    time = replayer.sendingTime
  }
}

/// `--dry-run`: prints what would be sent, in order; nothing is sent.
struct DryRunPrinter: ~Copyable {
  private let routes: ReplayRoutes
  private let format: OutputFormat
  private var list: DryRun
  private var output = Output()
  private var json = JSONWriter()

  init(_ routes: ReplayRoutes, flows: [Flow], ports: Ports, format: OutputFormat) {
    self.routes = routes
    self.format = format
    list = DryRun(flows, ports)
  }

  /// Prints one delivery.
  mutating func print(_ due: Int64, _ packet: ReplayPacket, _ pieces: [StreamPiece], _ bytes: RawSpan) throws {
    guard packet.flow < routes.routes.count else { throw ReplayError.unknownFlow(packet.number) }
    let delivery = DryRun.Delivery(
      due: due, packet: packet.number, flow: packet.flow, carrier: packet.carrier,
      to: routes.routes[packet.flow].destination, pieces: pieces)
    switch format {
    case .text: try output.line(list.line(delivery, bytes))
    case .json:
      list.write(delivery, bytes, to: &json)
      try output.take(&json)
    }
  }

  /// Writes what waits.
  mutating func finish() throws { try output.flush() }
}
