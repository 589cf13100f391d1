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

/// The sources of a program's output in addition to stdout and stderr: a file that it appends to, or a UDP port. One
/// thread uses it, and polls them.
final class EventFeeds {
  private struct Tail {
    var path: FilePath
    let source: SystemFile.Source
    var offset: Int64
    var identity: FileIdentity?
    var cutter = LineCutter()
    /// The search for the file where its name is a pattern.
    var newest: NewestFile?
  }

  /// The maximum number of bytes read from a file before sockets are polled again.
  private static let mostPerLook = 4 << 20

  private var tails: [Tail] = []
  private var datagrams: DatagramSender?
  /// The port of the loopback address that receives events; nil without one.
  private(set) var port: UInt16?

  /// Feeds of these sources. The existing content of a file is not read.
  /// - Parameters:
  ///   - isRunning: whether the program is running already, and has created its files.
  ///   - clock: the clock for polling folders.
  /// - Throws: `SocketError` when the port is in use.
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

  /// Files that grow in a folder, also read from now on, under their names there.
  var growing: GrowingFiles?

  /// Reads new output.
  func read(into output: ProgramOutput) throws {
    for name in growing?.new() ?? [] where !isRead(name) {
      tails.append(
        Tail(path: growing?.path(of: name) ?? "", source: .file(name), offset: growing?.start(of: name) ?? 0))
    }
    for index in tails.indices {
      EventFeeds.read(&tails[index], into: output)
      // The previous file has been read to its end.
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

  /// Whether the system file names it, perhaps by a pattern.
  private func isRead(_ name: String) -> Bool {
    tails.contains { if case .file(let known) = $0.source { Glob(known).matches(name) } else { false } }
  }

  /// The current size of a file in bytes, and its identity.
  private static func held(at path: FilePath) -> (size: Int64, identity: FileIdentity?) {
    guard let file = EventFeeds.open(path) else { return (0, nil) }
    defer { try? file.close() }
    return ((try? file.seek(offset: 0, from: .end)) ?? 0, FileStatus(descriptor: file.rawValue)?.identity)
  }

  /// Opens a regular file for reading. A program may create anything else in its place: opening a FIFO blocks until
  /// there is a writer, and a device such as `/dev/zero` never ends. Nil for these, and for a missing file.
  private static func open(_ path: FilePath) -> FileDescriptor? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    else { return nil }
    if FileStatus(descriptor: file.rawValue)?.isRegular == true { return file }
    try? file.close()
    return nil
  }

  /// Reads new bytes of a file. One that has become shorter, or is another one of the same name, is read from its
  /// start.
  private static func read(_ tail: inout Tail, into output: ProgramOutput) {
    guard !tail.path.isEmpty, let file = EventFeeds.open(tail.path) else { return }
    defer { try? file.close() }
    let identity = FileStatus(descriptor: file.rawValue)?.identity
    let isShorter = (try? file.seek(offset: 0, from: .end)).map { $0 < tail.offset } ?? false
    if isShorter || tail.identity.map({ $0 != identity }) ?? false { (tail.offset, tail.cutter) = (0, LineCutter()) }
    tail.identity = identity
    var room = [UInt8](repeating: 0, count: 16 << 10)
    // A line without an end does not count towards the limit of the output: continue such a file at the next poll.
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
