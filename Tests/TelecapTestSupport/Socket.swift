import Foundation
import TelecapRecording

#if canImport(Glibc)
  import Glibc
  private let datagrams = Int32(SOCK_DGRAM.rawValue)
  private let stream = Int32(SOCK_STREAM.rawValue)
  private let withoutSignal = Int32(MSG_NOSIGNAL)
#else
  private let datagrams = SOCK_DGRAM
  private let stream = SOCK_STREAM
  private let withoutSignal: Int32 = 0
#endif

/// A plain socket on loopback, with a port that the system chose.
public final class Socket: Sendable {
  public struct Failed: Error, CustomStringConvertible {
    public let description: String
    init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
  }

  /// Its descriptor, open as long as it lives.
  public let descriptor: Int32
  /// Its port.
  public let port: UInt16

  /// 127.0.0.1 and its port.
  public var endpoint: Endpoint { Endpoint(.loopback, port: port) }
  /// The same as text.
  public var address: String { "127.0.0.1:\(port)" }

  private init(_ descriptor: Int32) throws {
    self.descriptor = descriptor
    var local = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &local) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0 else { throw Failed("getsockname") }
    port = UInt16(bigEndian: local.sin_port)
    // No wait of a test is without end; a busy machine may stand still for seconds.
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    // A burst of a test must fit, so that none of it is lost before it is read.
    var room: Int32 = 4 << 20
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// A UDP socket that is bound, to this port unless it is 0.
  public static func udp(at port: UInt16 = 0) throws -> Socket { try Socket(bound(datagrams, at: port)) }

  /// A TCP socket that listens.
  public static func listener(at port: UInt16 = 0) throws -> Socket {
    let descriptor = try bound(stream, at: port)
    guard listen(descriptor, 128) == 0 else { throw Failed("listen") }
    return try Socket(descriptor)
  }

  /// A TCP connection to this port, from `own` where that is not 0: the port of a connection that is over, too.
  public static func connected(to port: UInt16, from own: UInt16 = 0) throws -> Socket {
    let descriptor = try opened(stream)
    if own != 0 {
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
      guard with(own, { bind(descriptor, $0, $1) }) == 0 else { throw closing(descriptor, "bind") }
    }
    guard with(port, { connect(descriptor, $0, $1) }) == 0 else { throw closing(descriptor, "connect") }
    return try Socket(descriptor)
  }

  /// The next connection of a listener.
  public func accepted() throws -> Socket {
    let descriptor = accept(descriptor, nil, nil)
    guard descriptor >= 0 else { throw Failed("accept") }
    return try Socket(descriptor)
  }

  /// Sends a datagram.
  public func send(_ bytes: [UInt8], to port: UInt16) throws {
    let sent = Socket.with(port) { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
    guard sent == bytes.count else { throw Failed("sendto") }
  }

  /// Sends bytes of a stream.
  public func send(_ bytes: [UInt8]) throws {
    guard Foundation.send(descriptor, bytes, bytes.count, withoutSignal) == bytes.count else { throw Failed("send") }
  }

  /// Sends a datagram; to 127.0.0.1, whatever the address says.
  public func send(_ bytes: [UInt8], to endpoint: Endpoint) throws { try send(bytes, to: endpoint.port) }

  /// The next datagram, and its sender.
  public func receive() throws -> (bytes: [UInt8], from: Endpoint) {
    guard let datagram = datagram(flags: 0) else { throw Failed("recvfrom") }
    return datagram
  }

  /// The datagrams that have come and were not asked for yet; waits for none.
  public func received() -> [[UInt8]] {
    var all: [[UInt8]] = []
    while let next = datagram(flags: Int32(MSG_DONTWAIT)) { all.append(next.bytes) }
    return all
  }

  /// Waits until something comes.
  public func waitForFirst() throws {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&item, 1, 120_000) == 1 else { throw Failed("poll") }
  }

  private func datagram(flags: Int32) -> (bytes: [UInt8], from: Endpoint)? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var from = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let count = withUnsafeMutablePointer(to: &from) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &bytes, bytes.count, flags, $0, &length)
      }
    }
    guard count >= 0 else { return nil }
    return (Array(bytes.prefix(count)), Endpoint(.loopback, port: UInt16(bigEndian: from.sin_port)))
  }

  /// So many bytes of a stream.
  public func receive(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var piece = [UInt8](repeating: 0, count: count - bytes.count)
      let got = recv(descriptor, &piece, piece.count, 0)
      guard got > 0 else { throw Failed("recv") }
      bytes += piece.prefix(got)
    }
    return bytes
  }

  /// All that comes until the stream ends or is reset, as text.
  public func receiveAll() -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let got = recv(descriptor, &piece, piece.count, 0), got > 0 { bytes += piece.prefix(got) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Ends its own stream; what comes is still received.
  public func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Has its connection be reset when it goes.
  public func becomeAbrupt() {
    var atOnce = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
  }

  /// How a stream from which nothing more comes ends: nil for a clean end, else the words for the error.
  public func receiveEnd() -> String? {
    var byte: UInt8 = 0
    let got = recv(descriptor, &byte, 1, 0)
    if got > 0 { return "there is more: \(byte)" }
    return got == 0 ? nil : String(cString: strerror(errno))
  }

  private static func opened(_ type: Int32) throws -> Int32 {
    let descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { throw Failed("socket") }
    return descriptor
  }

  private static func bound(_ type: Int32, at port: UInt16 = 0) throws -> Int32 {
    let descriptor = try opened(type)
    guard with(port, { bind(descriptor, $0, $1) }) == 0 else { throw closing(descriptor, "bind") }
    return descriptor
  }

  /// Closes a socket that a call failed on: the error of that call.
  private static func closing(_ descriptor: Int32, _ call: String) -> Failed {
    defer { close(descriptor) }
    return Failed(call)
  }

  /// 127.0.0.1 and this port, as the system wants it.
  private static func with<Result>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_in()
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

/// A port that was free a moment ago, for UDP and for TCP; none of those that a system gives out by itself, which another test could get
/// meanwhile.
public func freePort() throws -> UInt16 {
  for _ in 0..<100 {
    let port = UInt16.random(in: 10_000..<32_768)
    if (try? Socket.udp(at: port)) != nil, (try? Socket.listener(at: port)) != nil { return port }
  }
  return try Socket.listener().port
}

/// An address on loopback that was free a moment ago and that nobody listens on.
public func closedPort() throws -> Endpoint { Endpoint(.loopback, port: try freePort()) }
