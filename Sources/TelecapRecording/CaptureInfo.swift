/// The origin of a capture: the row of its table `capture`.
public struct CaptureInfo: Hashable, Sendable {
  /// The program that wrote it.
  public var tool: String
  /// The program's version.
  public var version: String
  /// The machine it was written on.
  public var host: String
  /// The clock of the timestamps, in words: `system clock, ns`, or the file's own.
  public var clock: String
  /// The source of the packets: an interface, a relay, a file.
  public var source: String
  /// The capture filter; empty without one.
  public var filter: String
  /// The ports by which protocols are recognised, by their ids such as `tele-udp`: a later dissection uses them.
  public var ports: [String: UInt16] = [:]
  /// The command line of the program.
  public var commandLine: String
  /// The start of the recording.
  public var started: Timestamp
  /// The end; nil while it is being recorded, and if the recorder was killed.
  public var ended: Timestamp?
  /// The packets that were lost before they reached the file.
  public var dropped = DropCounts()
  /// The client counts of each relay that recorded it; empty without relays.
  public var relays: [RelayTally] = []
  /// The damage of the input, in words; nil if it was complete.
  public var damage: String?

  /// A capture that starts now; by default values are empty.
  public init(
    tool: String = "telecap", version: String, host: String = "", clock: String = "", source: String = "",
    filter: String = "", commandLine: String = "", started: Timestamp
  ) {
    self.tool = tool
    self.version = version
    self.host = host
    self.clock = clock
    self.source = source
    self.filter = filter
    self.commandLine = commandLine
    self.started = started
  }
}

/// Counts of packets that were captured but are not in the file, by the point of loss.
public struct DropCounts: Hashable, Sendable {
  /// The kernel's capture buffer was full.
  public var kernel: Int
  /// The interface or its driver dropped them.
  public var interface: Int
  /// telecap's own queue was full.
  public var queue: Int

  /// Counts with these values.
  public init(kernel: Int = 0, interface: Int = 0, queue: Int = 0) {
    self.kernel = kernel
    self.interface = interface
    self.queue = queue
  }

  /// The sum. Saturates.
  public var total: Int { kernel.saturatingAdding(interface).saturatingAdding(queue) }
}

extension FixedWidthInteger {
  /// The sum, clamped to the range.
  @inlinable
  public func saturatingAdding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, clamped to the range.
  @inlinable
  public func saturatingSubtracting(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < other ? .min : .max) : difference
  }

  /// The product, clamped to the range.
  @inlinable
  public func saturatingMultiplied(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

/// The client counts of a relay.
public struct RelayTally: Hashable, Sendable {
  /// The relay, as `udp:127.0.0.1:50000=HOST:PORT`.
  public var route: String
  /// The number of clients: over TCP connections; over UDP addresses, counted again after they expired.
  public var clients = 0
  /// The number of rejected clients: too many connections, no server, or no free descriptor.
  public var refused = 0
  /// The number of served clients that expired, because they were idle for too long, or for longest of too many.
  public var forgotten = 0
  /// Over UDP, datagrams in the file that were not forwarded; over TCP, streams that ended before all of their bytes in
  /// the file were forwarded.
  public var notPassedOn = 0
  /// Datagrams that the kernel dropped before the relay received them; nil if the system does not count them.
  public var droppedByKernel: Int? = 0

  /// A relay without clients.
  public init(route: String) { self.route = route }

  /// The losses of traffic, in words; nil without losses.
  public var losses: String? {
    let isOfStreams = route.hasPrefix("tcp:")
    let ended = "\(notPassedOn == 1 ? "stream" : "streams") ended before all that was read was passed on"
    let counts = [
      (refused, "of \(clients) clients refused"), (forgotten, "forgotten"),
      (notPassedOn, isOfStreams ? ended : "datagrams recorded and not passed on"),
      (droppedByKernel ?? 0, "datagrams dropped by the kernel"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
