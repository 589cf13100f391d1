import CSockets
import TelecapConformance
import TelecapPlatform
import TelecapRecording
import TelecapText

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// Where a program shows what it does, beside its two outputs: a file that it appends to, or a UDP port. Used by one
/// thread, which looks there now and then.
final class EventFeeds {
  private struct Tail {
    var path: FilePath
    let source: SystemFile.Source
    var offset: Int64
    var identity: FileIdentity?
    var cutter = LineCutter()
    /// Where its name is a pattern, what finds the file.
    var newest: NewestFile?
  }

  /// The maximum number of bytes that are read of a file before the sockets are looked at again.
  private static let mostPerLook = 4 << 20

  private var tails: [Tail] = []
  private var datagrams: DatagramSender?
  /// The port of the loopback address that takes events; nil when there is none.
  private(set) var port: UInt16?

  /// Feeds of these sources. What a file holds already is not read.
  /// - Parameters:
  ///   - isRunning: the program runs already, and has begun its files.
  ///   - clock: says when a folder is looked at again.
  /// - Throws: `SocketError` when the port is taken.
  init(
    _ sources: [SystemFile.Source], directory: String, isRunning: Bool = false,
    by clock: any MonotonicClock = SystemMonotonicClock.shared
  ) throws(SocketError) {
    let policy = DestinationPolicy(.loopback, broadcastAddresses: [])
    for source in sources {
      switch source {
      case .stdout, .stderr: continue
      case .file(let name) where name.contains("*"):
        let newest = NewestFile(FilePath(directory).pushing(FilePath(name)).string, isRunning: isRunning, by: clock)
        let begun = newest.begun
        tails.append(
          Tail(path: FilePath(begun?.path ?? ""), source: source, offset: begun?.start ?? 0, newest: newest))
      case .file(let name):
        let path = FilePath(directory).pushing(FilePath(name))
        let now = EventFeeds.held(at: path)
        tails.append(Tail(path: path, source: source, offset: now.size, identity: now.identity))
      case .udp(let number):
        let receiver: DatagramSender
        if let datagrams { receiver = datagrams } else { receiver = try DatagramSender(policy: policy) }
        let lane = try receiver.open(at: Endpoint(.loopback, port: number))
        port = receiver.flow(of: lane).source.port
        datagrams = receiver
      }
    }
  }

  /// Also what grows in a folder is read from now on, under the names that it has there.
  var growing: GrowingFiles?

  /// Reads what is new.
  func read(into output: ProgramOutput) throws {
    for name in growing?.new() ?? [] where !isRead(name) {
      tails.append(
        Tail(path: growing?.path(of: name) ?? "", source: .file(name), offset: growing?.start(of: name) ?? 0))
    }
    for index in tails.indices {
      EventFeeds.read(&tails[index], into: output)
      // Of the file before all is read that it holds.
      while let next = tails[index].newest?.next() {
        (tails[index].path, tails[index].offset) = (FilePath(next.path), next.start)
        (tails[index].identity, tails[index].cutter) = (nil, LineCutter())
        EventFeeds.read(&tails[index], into: output)
      }
    }
    try datagrams?.receive { _, bytes in
      var cutter = LineCutter()
      bytes.withUnsafeBytes { output.add($0, cutBy: &cutter, isShown: true, from: .udp(0)) }
      cutter.finish { output.add($0, isShown: true, from: .udp(0)) }
    }
  }

  /// The system file names it, perhaps by a pattern.
  private func isRead(_ name: String) -> Bool {
    tails.contains { if case .file(let known) = $0.source { Glob(known).matches(name) } else { false } }
  }

  /// What a file holds already, in bytes, and which it is.
  private static func held(at path: FilePath) -> (size: Int64, identity: FileIdentity?) {
    guard let file = EventFeeds.open(path) else { return (0, nil) }
    defer { try? file.close() }
    return ((try? file.seek(offset: 0, from: .end)) ?? 0, FileStatus(descriptor: file.rawValue)?.identity)
  }

  /// Opens a regular file for reading. A program may put anything else in its place: opening a FIFO blocks until somebody
  /// writes, and a device such as `/dev/zero` never ends. Nil for these, and where there is nothing.
  private static func open(_ path: FilePath) -> FileDescriptor? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    else { return nil }
    if FileStatus(descriptor: file.rawValue)?.isRegular == true { return file }
    try? file.close()
    return nil
  }

  /// A file that has become shorter, or is another one of the same name, was begun anew.
  private static func read(_ tail: inout Tail, into output: ProgramOutput) {
    guard !tail.path.isEmpty, let file = EventFeeds.open(tail.path) else { return }
    defer { try? file.close() }
    let identity = FileStatus(descriptor: file.rawValue)?.identity
    let isShorter = (try? file.seek(offset: 0, from: .end)).map { $0 < tail.offset } ?? false
    if isShorter || tail.identity.map({ $0 != identity }) ?? false { (tail.offset, tail.cutter) = (0, LineCutter()) }
    tail.identity = identity
    var room = [UInt8](repeating: 0, count: 16 << 10)
    // Lines that never end fill no limit of the output: a file that holds nothing else is read on at the next look.
    var rest = mostPerLook
    while !output.isFlood, rest > 0 {
      let offset = tail.offset
      let count = room.withUnsafeMutableBytes { (try? file.read(fromAbsoluteOffset: offset, into: $0)) ?? 0 }
      guard count > 0 else { return }
      tail.offset += Int64(count)
      rest -= count
      output.add(room[..<count], cutBy: &tail.cutter, isShown: true, from: tail.source)
    }
  }
}
