import NIOCore
import NIOPosix
import TelecapRecording
import TelecapTele

/// Sends beacons to one broadcast address, every 500 ms.
struct BeaconSending: Sendable {
  private let bytes: [UInt8]
  private let socket: BeaconSocket

  /// A sender of these bytes.
  init(_ bytes: [UInt8], over socket: BeaconSocket) { (self.bytes, self.socket) = (bytes, socket) }

  /// Sends until the task is cancelled.
  func run() async {
    var (socket, next) = (socket, ContinuousClock.now)
    while !Task.isCancelled {
      await socket.send(bytes)
      next += .nanoseconds(TeleDiscovery.beaconInterval)
      try? await Task.sleep(until: next, clock: .continuous)
    }
    await socket.close()
  }
}

/// A socket to one broadcast address. It reports a missing network, and tries again.
struct BeaconSocket: Sendable {
  private let local: Endpoint
  private let target: Endpoint
  private let tell: @Sendable (String) -> Void
  private var socket: (any Channel)?
  private var trouble: String?

  /// Phones find the host by this source address of its beacons.
  init(from address: IPAddress, to target: Endpoint, tell: @escaping @Sendable (String) -> Void) {
    (local, self.target, self.tell) = (Endpoint(address, port: 0), target, tell)
  }

  /// Sends a beacon, or reports the error.
  mutating func send(_ bytes: [UInt8]) async {
    do {
      if socket == nil { socket = try await open() }
      let data = AddressedEnvelope(remoteAddress: try SocketAddress(target), data: ByteBuffer(bytes: bytes))
      try await socket?.writeAndFlush(data)
      if trouble != nil { tell("beacons to \(target) are sent again") }
      trouble = nil
    } catch {
      // NIO closes a socket after a send error.
      socket = nil
      let words = (error as? IOError).map { SocketError.words(for: $0.errnoCode) } ?? "\(error)"
      if trouble != words { tell("beacons to \(target) cannot be sent: \(words)") }
      trouble = words
    }
  }

  /// Closes the socket.
  func close() async { try? await socket?.close() }

  private func open() async throws -> any Channel {
    try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.socketOption(.so_broadcast), value: 1)
      .bind(to: SocketAddress(local)).get()
  }
}
