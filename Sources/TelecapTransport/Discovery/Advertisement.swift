import TelecapRecording
import TelecapTele
import TelecapWire

/// Announces addresses under a name to phones that search, as long as it runs: TCP listeners by beacons, UDP listeners
/// by mDNS (tele.md, Transports: discovery).
public struct Advertisement: Sendable {
  /// An address at which phones are accepted.
  public struct Offer: Hashable, Sendable {
    /// The transport.
    public var carrier: Carrier
    /// The listening address.
    public var end: Endpoint

    /// An address with its transport.
    public init(_ carrier: Carrier, _ end: Endpoint) { (self.carrier, self.end) = (carrier, end) }
  }

  /// A name that a beacon can carry.
  public struct Name: Hashable, Sendable {
    fileprivate let text: String

    /// Parses a name: 1 to 20 of A–Z a–z 0–9 _ -.
    public init(parsing text: String) throws(AdvertisedNameError) {
      guard BeaconName.isRight(text) else { throw AdvertisedNameError(text: text) }
      self.text = text
    }
  }

  /// The code of the host, for the QR code; nil where it is unknown.
  public var code: String?
  /// Draws a QR code on a terminal; nil without one.
  public var draw: (@Sendable (String) -> Void)?
  private let name: String
  private let beaconPort: UInt16
  private let tell: @Sendable (String) -> Void

  /// An advertisement under this name. Beacons go to the port in `ports`. `tell` reports where the name is announced,
  /// and errors.
  public init(_ name: Name, _ ports: Ports, tell: @escaping @Sendable (String) -> Void) {
    (self.name, beaconPort, self.tell) = (name.text, ports.teleBeacon, tell)
  }

  /// Whether beacons for one of these relays would arrive at another one.
  public static func disturbs(_ relays: [RelaySpec], _ ports: Ports) -> Bool {
    relays.contains { $0.carrier == .tcp }
      && relays.contains { $0.carrier == .udp && $0.listen.port == ports.teleBeacon }
  }

  /// Announces `offers` while `body` runs.
  ///
  /// - Throws: errors of `body`.
  public func follow<Value: Sendable>(
    _ offers: @escaping @Sendable () async -> [Offer], during body: () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await run(offers()) }
      defer { group.cancelAll() }
      return try await body()
    }
  }

  /// Announces the relays of this controller once they run.
  public func follow<Value: Sendable>(_ desk: RelayController, during body: () async throws -> Value) async throws
    -> Value
  {
    try await follow({ await desk.running().map { Offer($0.spec.carrier, $0.listen) } }, during: body)
  }

  /// Announces these until the task is cancelled.
  private func run(_ offers: [Offer]) async {
    await withTaskGroup(of: Void.self) { group in
      if !offers.isEmpty { group.addTask { await invite() } }
      for offer in offers {
        switch offer.carrier {
        case .tcp: for sending in beacons(offer.end) { group.addTask { await sending.run() } }
        case .udp: group.addTask { await ServiceAnnouncement(name, offer.end, tell: tell).run() }
        // telecap has no Bluetooth link to announce.
        case .ble: continue
        }
      }
    }
  }

  /// Prints the QR code for phones.
  private func invite() async {
    guard let code else { return tell("no QR code: it holds the code that the host takes, which --code says") }
    let text = TeleDiscovery.invitation(name: name, code: code)
    tell("QR code \(text)")
    guard let draw else { return }
    if let drawing = await QRCode.drawing(of: text) { return draw(drawing) }
    tell("the QR code is not drawn: \(QRCode.advice)")
  }

  private func beacons(_ end: Endpoint) -> [BeaconSending] {
    do {
      let bytes = try Message.beacon(tcpPort: end.port, name: name).bytes
      return try BeaconTargets.of(end.address, in: BroadcastNetwork.ofThisMachine()).map {
        let reach = $0 == BeaconTargets.thisMachine ? ": this machine only" : ""
        tell("advertising \(name), tcp port \(end.port), by beacons to \($0):\(beaconPort)\(reach)")
        return BeaconSending(
          bytes, over: BeaconSocket(from: end.address, to: Endpoint($0, port: beaconPort), tell: tell))
      }
    } catch {
      tell("\(name) is not advertised by beacons: \(error)")
      return []
    }
  }
}

/// The error about a text that no beacon can carry as a name.
public struct AdvertisedNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public let text: String

  /// The error message.
  public var description: String { "'\(text)' is not 1 to 20 of A–Z a–z 0–9 _ -" }
}
