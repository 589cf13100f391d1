/// How a capture came to be: the row of its table `capture`.
public struct CaptureInfo: Hashable, Sendable {
  /// The program that wrote it.
  public var tool: String
  /// The program's version.
  public var version: String
  /// The machine it was written on.
  public var host: String
  /// Which clock the timestamps are from, in words: `system clock, ns`, or the file's own.
  public var clock: String
  /// Where the packets are from: an interface, a relay, a file.
  public var source: String
  /// The capture filter; empty when everything was kept.
  public var filter: String
  /// The ports that tell which protocol a payload speaks, by their ids such as `tele-udp`: what a later dissection goes by.
  public var ports: [String: UInt16] = [:]
  /// How the program was called.
  public var commandLine: String
  /// When writing began.
  public var started: Timestamp
  /// When it ended; nil while it goes on, and for ever when the recording was killed.
  public var ended: Timestamp?
  /// What was lost on the way into the file.
  public var dropped = DropCounts()
  /// What became of the clients of each relay that recorded it; empty where none did.
  public var relays: [RelayTally] = []
  /// Where a damaged input broke, in words; nil when it was whole.
  public var damage: String?

  /// A capture that begins now; what is not given is empty.
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

/// Packets that were seen and are not in the file, by the place where they were lost.
public struct DropCounts: Hashable, Sendable {
  /// The kernel's capture buffer was full.
  public var kernel: Int
  /// The interface or its driver dropped them.
  public var interface: Int
  /// telecap's own queue was full.
  public var queue: Int

  /// So many packets at each place.
  public init(kernel: Int = 0, interface: Int = 0, queue: Int = 0) {
    self.kernel = kernel
    self.interface = interface
    self.queue = queue
  }

  /// All of them. Saturates.
  public var total: Int { kernel.saturatingAdding(interface).saturatingAdding(queue) }
}

extension FixedWidthInteger {
  /// The sum; the nearest number where it does not fit.
  @inlinable
  public func saturatingAdding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference; the nearest number where it does not fit.
  @inlinable
  public func saturatingSubtracting(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < other ? .min : .max) : difference
  }

  /// The product; the nearest number where it does not fit.
  @inlinable
  public func saturatingMultiplied(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

/// What became of the clients of a relay.
public struct RelayTally: Hashable, Sendable {
  /// The relay, as `udp:127.0.0.1:50000=HOST:PORT`.
  public var route: String
  /// How many came, each counted once: connections over TCP; over UDP addresses, until they are forgotten.
  public var clients = 0
  /// How many of these were turned away: too many connections, no server, or no descriptor left.
  public var refused = 0
  /// How many of these were served and forgotten, being idle for too long or the longest idle of too many.
  public var forgotten = 0
  /// Datagrams that are in the file and were not passed on; over TCP, streams that ended before all that is in the file of them was.
  public var notPassedOn = 0
  /// Datagrams that the kernel dropped before the relay saw them; nil where the system does not tell.
  public var droppedByKernel: Int? = 0

  /// A relay without clients.
  public init(route: String) { self.route = route }

  /// What was lost of the traffic, in words; nil when nothing was.
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
