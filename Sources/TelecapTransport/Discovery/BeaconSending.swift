import NIOCore
import NIOPosix
import TelecapRecording
import TelecapTele

/// Beacons to one broadcast address, every 500 ms. A network that is gone for a while is told, and tried again.
struct BeaconSending: Sendable {
  private let bytes: [UInt8]
  private let local: Endpoint
  private let target: Endpoint
  private let tell: @Sendable (String) -> Void

  /// Sends these bytes from this address, which is how a phone knows where the host is.
  init(_ bytes: [UInt8], from address: IPAddress, to target: Endpoint, tell: @escaping @Sendable (String) -> Void) {
    (self.bytes, self.target, self.tell) = (bytes, target, tell)
    local = Endpoint(address, port: 0)
  }

  /// Sends until the task is cancelled.
  func run() async {
    var socket: (any Channel)?
    var trouble: String?
    var next = ContinuousClock.now
    while !Task.isCancelled {
      do {
        if socket == nil { socket = try await open() }
        let data = AddressedEnvelope(remoteAddress: try SocketAddress(target), data: ByteBuffer(bytes: bytes))
        try await socket?.writeAndFlush(data)
        if trouble != nil { tell("beacons to \(target) are sent again") }
        trouble = nil
      } catch {
        // NIO closes a socket that could not send.
        socket = nil
        let words = (error as? IOError).map { SocketError.words(for: $0.errnoCode) } ?? "\(error)"
        if trouble != words { tell("beacons to \(target) cannot be sent: \(words)") }
        trouble = words
      }
      next += .nanoseconds(TeleDiscovery.beaconInterval)
      try? await Task.sleep(until: next, clock: .continuous)
    }
    try? await socket?.close()
  }

  private func open() async throws -> any Channel {
    try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.socketOption(.so_broadcast), value: 1)
      .bind(to: SocketAddress(local)).get()
  }
}
