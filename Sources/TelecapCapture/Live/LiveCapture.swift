import CPcap
import TelecapRecording

/// Captures frames from a network interface through libpcap.
///
/// One thread runs it; `stopper` may be used from any other and from a signal handler.
public final class LiveCapture {
  /// The loopback interface.
  #if canImport(Darwin)
    public static let loopback = "lo0"
  #else
    public static let loopback = "lo"
  #endif
  /// All interfaces at once, if the system supports it.
  public static let all = "any"

  /// The options of a capture.
  public struct Options: Hashable, Sendable {
    /// The interface: `lo`, `en0`, `any`.
    public var interface: String
    /// The filter.
    public var filter = CaptureFilter.everything
    /// The maximum number of captured bytes of a frame.
    public var snapLength = 262_144
    /// The size of the kernel's buffer in bytes, for packets that arrive while we are busy.
    public var bufferSize = 64 * 1024 * 1024
    /// Whether to capture packets for other machines too.
    public var isPromiscuous = false
    /// Whether to deliver each packet immediately; otherwise the kernel may collect packets for up to
    /// `timeoutMilliseconds`, which needs less work for each. On Linux an immediate buffer has a slot of `snapLength`
    /// for each packet, so a small `snapLength` allows more packets.
    public var isImmediate = false
    /// The time for which the kernel may collect packets, and the maximum time between two checks of the condition of
    /// `run`.
    public var timeoutMilliseconds = 20

    /// Captures everything from this interface.
    public init(interface: String) { self.interface = interface }
  }

  /// Counts since the start.
  public struct Statistics: Hashable, Sendable {
    /// Packets that passed the filter, by the kernel's count.
    public var received: UInt64 = 0
    /// Packets dropped because our buffer in the kernel was full.
    public var droppedByKernel: UInt64 = 0
    /// Packets dropped by the interface or its driver, if the system counts them.
    public var droppedByInterface: UInt64 = 0
  }

  /// Stops a running `LiveCapture.run` or `dispatch`. Keeps the capture alive.
  public struct Stopper: @unchecked Sendable {
    // Unchecked, because an atomic flag and pcap_breakloop may be used from other threads and signal handlers, and
    // nothing else of the capture is accessed here.
    fileprivate let capture: LiveCapture

    /// Stops delivery after the current packet. May be called more than once.
    public func stop() {
      telecap_flag_set(capture.stopFlag)
      pcap_breakloop(capture.handle)
    }
  }

  /// The interface and the link type of frames, for a file's header.
  public let interface: Interface
  /// The active filter as libpcap's expression; empty for everything.
  public let filter: String

  private let handle: OpaquePointer
  private let options: Options
  private let isNanoseconds: Bool
  private let waitable: Int32
  private let stopFlag: UnsafeMutablePointer<Int32>
  private var packets = 0
  private var wrapped = WrappingStatistics()

  /// Opens the interface and starts capturing.
  ///
  /// - Throws: `LiveCaptureError`
  public init(_ options: Options) throws(LiveCaptureError) {
    let (handle, isNanoseconds) = try PcapHandle.open(options)
    self.handle = handle
    self.options = options
    self.isNanoseconds = isNanoseconds
    waitable = pcap_get_selectable_fd(handle)
    stopFlag = .allocate(capacity: 1)
    stopFlag.initialize(to: 0)
    filter = options.filter.text(linkType: PcapHandle.linkType(handle))
    interface = Interface(
      name: options.interface, linkType: PcapHandle.linkType(handle), snapLength: Int(pcap_snapshot(handle)),
      ticksPerSecond: isNanoseconds ? 1_000_000_000 : 1_000_000)
    if !filter.isEmpty { settle() }
  }

  /// Discards the packets from before the filter was active. libpcap drops packets while it installs the filter, so
  /// earlier packets would be followed by a gap in the recording.
  private func settle() {
    let end = ContinuousClock.now + .milliseconds(2 * waitMilliseconds)
    var isOver = false
    while !isOver {
      isOver = ContinuousClock.now >= end
      if waitable >= 0 { Descriptor.waitUntilReadable(waitable, milliseconds: Int32(clamping: waitMilliseconds)) }
      // An error recurs when packets are read.
      if pcap_dispatch(handle, -1, { _, _, _ in }, nil) < 0 { return }
    }
  }

  deinit {
    pcap_close(handle)
    stopFlag.deallocate()
  }

  /// Stops `run` from another thread.
  public var stopper: Stopper { Stopper(capture: self) }

  /// Passes packets to `body` until `condition` is false, which is checked between batches and at least every
  /// `timeoutMilliseconds`, or until `Stopper.stop`.
  ///
  /// - Throws: `LiveCaptureError.failed`, for example if the interface went down; or any error of the closures.
  public func run(
    while condition: () throws -> Bool = { true }, _ body: (PacketHeader, RawSpan) throws -> Void
  ) throws {
    while try condition() {
      guard try dispatch(body) != nil else { return }
    }
  }

  /// Waits for packets, at most `timeoutMilliseconds`, and passes the available ones to `body`, whose bytes are valid
  /// only during the call. Returns their number; nil after `Stopper.stop`.
  ///
  /// - Throws: `LiveCaptureError.failed`, for example if the interface went down; or any error of `body`.
  public func dispatch(_ body: (PacketHeader, RawSpan) throws -> Void) throws -> Int? {
    if isStopped { return nil }
    // libpcap's own wait may last until the next packet. This one has a timeout, so that the caller's timers work.
    if waitable >= 0 { Descriptor.waitUntilReadable(waitable, milliseconds: Int32(clamping: waitMilliseconds)) }
    return try withoutActuallyEscaping(body) { body in
      var batch = Dispatch(handle: handle, isNanoseconds: isNanoseconds, interface: interface, packets: packets, body)
      let count = withUnsafeMutablePointer(to: &batch) { pcap_dispatch(handle, -1, Dispatch.callback, $0.bytes) }
      packets = batch.header.number
      if let error = batch.error { throw error }
      switch count {
      case 0..., PCAP_ERROR_BREAK: return isStopped ? nil : max(0, Int(count))
      default: throw LiveCaptureError.failed(interface: interface.name, reason: PcapHandle.words(handle))
      }
    }
  }

  private var isStopped: Bool { telecap_flag_is_set(stopFlag) != 0 }

  private var waitMilliseconds: Int { max(1, options.timeoutMilliseconds) }

  /// The numbers of received and dropped packets so far. libpcap counts in 32 bits, so call it at least once in four
  /// billion packets.
  ///
  /// - Throws: `LiveCaptureError.failed`
  public func statistics() throws(LiveCaptureError) -> Statistics {
    var now = pcap_stat()
    guard pcap_stats(handle, &now) == 0 else {
      throw .failed(interface: interface.name, reason: PcapHandle.words(handle))
    }
    wrapped.update(received: now.ps_recv, kernel: now.ps_drop, interface: now.ps_ifdrop)
    return wrapped.total
  }

  /// The names of the interfaces that support capturing.
  ///
  /// - Throws: `LiveCaptureError.failed`
  public static func interfaces() throws(LiveCaptureError) -> [String] { try PcapHandle.interfaces() }
}

/// Totals of counters that wrap at 32 bits.
private struct WrappingStatistics {
  var total = LiveCapture.Statistics()

  mutating func update(received: UInt32, kernel: UInt32, interface: UInt32) {
    func add(_ now: UInt32, _ total: inout UInt64) {
      total += UInt64(now &- UInt32(truncatingIfNeeded: total))
    }
    add(received, &total.received)
    add(kernel, &total.droppedByKernel)
    add(interface, &total.droppedByInterface)
  }
}

/// The context of one pcap_dispatch call for its callback. It is on the stack during the call.
private struct Dispatch {
  let handle: OpaquePointer
  let isNanoseconds: Int32
  var header: PacketHeader
  let body: (PacketHeader, RawSpan) throws -> Void
  var error: (any Error)?

  init(
    handle: OpaquePointer, isNanoseconds: Bool, interface: Interface, packets: Int,
    _ body: @escaping (PacketHeader, RawSpan) throws -> Void
  ) {
    self.handle = handle
    self.isNanoseconds = isNanoseconds ? 1 : 0
    header = PacketHeader(number: packets, time: .zero, originalLength: 0, linkType: interface.linkType)
    self.body = body
  }

  static let callback: pcap_handler = { context, packet, bytes in
    guard let context, let packet, let bytes else { return }
    UnsafeMutableRawPointer(context).assumingMemoryBound(to: Dispatch.self).pointee.receive(packet, bytes)
  }

  private mutating func receive(_ packet: UnsafePointer<pcap_pkthdr>, _ bytes: UnsafePointer<UInt8>) {
    if error != nil { return }
    header.number += 1
    header.time = Timestamp(nanoseconds: telecap_pcap_time_ns(packet, isNanoseconds))
    header.originalLength = Int(packet.pointee.len)
    let frame = UnsafeRawBufferPointer(start: bytes, count: Int(packet.pointee.caplen))
    do {
      try body(header, frame.bytes)
    } catch {
      self.error = error
      pcap_breakloop(handle)
    }
  }
}

extension UnsafeMutablePointer<Dispatch> {
  /// The pointer in the type of libpcap's callback.
  fileprivate var bytes: UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: UInt8.self)
  }
}
