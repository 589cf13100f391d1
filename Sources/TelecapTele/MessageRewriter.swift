import TelecapRecording
import TelecapWire

/// The fields that a replay rewrites in messages.
public struct Rewriting: Sendable {
  /// The code of every HELLO; six characters.
  public var code: [UInt8]?
  /// The session_id of every HELLO and BYE.
  public var sessionID: UInt32?
  /// Whether poses get new numbers and times.
  public var restamps: Bool

  /// By default no changes.
  public init(code: [UInt8]? = nil, sessionID: UInt32? = nil, restamps: Bool = false) {
    self.code = code
    self.sessionID = sessionID
    self.restamps = restamps
  }

  /// Whether anything is rewritten.
  public var isNeeded: Bool { code != nil || sessionID != nil || restamps }
}

/// Rewrites credentials, numbers and times in messages byte by byte, so that streams may be split anywhere. Bytes that
/// are not a complete TELE message stay unchanged.
public struct MessageRewriter: Sendable {
  private let rewriting: Rewriting
  private var stamps: [Int: PoseStamps] = [:]
  private var streams: [Int: MessageScan] = [:]
  /// The offset of the run's time: the duration of the runs before.
  private var base: Nanoseconds = 0

  /// A rewriter at the start of a recording.
  public init(_ rewriting: Rewriting) { self.rewriting = rewriting }

  /// Starts the recording again: streams are new, sessions continue.
  public mutating func beginAgain(after nanoseconds: Nanoseconds) {
    base += nanoseconds
    streams.removeAll()
  }

  /// Rewrites one unit; `time` is the time of unimpaired sending, ns from the start of the run.
  public mutating func rewrite(_ unit: ReplayUnit, _ pieces: [StreamPiece], _ bytes: inout [UInt8], at time: Int64) {
    guard unit.carrier == .tcp else {
      var scan = MessageScan(length: bytes.count)
      return pass(bytes.indices, of: &bytes, &scan, flow: unit.flow, time)
    }
    var start = 0
    for piece in pieces {
      guard case .send(let count) = piece.kind else { continue }
      var scan = streams[piece.stream] ?? MessageScan()
      pass(start..<start + count, of: &bytes, &scan, flow: piece.flow, time)
      streams[piece.stream] = scan
      start += count
    }
  }

  private mutating func pass(
    _ range: Range<Int>, of bytes: inout [UInt8], _ scan: inout MessageScan, flow: Int, _ time: Int64
  ) {
    for index in range {
      if scan.wantsPatch { scan.patch = patch(for: scan.type, scan.length, flow, time) }
      bytes[index] = scan.pass(bytes[index])
    }
  }

  /// The bytes to write after the header of a message of this type.
  private mutating func patch(for type: UInt8, _ length: Int, _ flow: Int, _ time: Nanoseconds) -> Patch {
    var patch = Patch()
    guard let message = Rewritten.byCode[Int(type)], length >= message.size else { return patch }
    switch message.kind {
    case .hello:
      if let id = rewriting.sessionID { patch.put(UInt64(id), 4, at: Hello.fields.sessionID.offset) }
      if let code = rewriting.code {
        let number = code.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        patch.put(number, PairingCode.size, at: Hello.fields.code.row.offset)
      }
    case .bye:
      if let id = rewriting.sessionID { patch.put(UInt64(id), 4, at: Bye.fields.sessionID.offset) }
    case .pose where rewriting.restamps:
      let (seq, microseconds) = stamps[flow, default: PoseStamps(began: base + time)].next(at: base + time)
      patch.put(UInt64(seq), 2, at: Pose.fields.seq.offset)
      patch.put(microseconds, 8, at: Pose.fields.timestamp.offset)
    default: break
    }
    return patch
  }
}

/// A kind of message with rewritable fields, and its size.
private struct Rewritten: Sendable {
  let kind: MessageKind
  let size: Int

  /// The kinds by the code in the header.
  static let byCode: [Rewritten?] = {
    var all = [Rewritten?](repeating: nil, count: 256)
    for kind in [MessageKind.hello, .bye, .pose] {
      guard let code = kind.code else { continue }
      all[Int(code)] = Rewritten(kind: kind, size: kind.layout.fixedSize)
    }
    return all
  }()
}

/// The new numbers and times of one sender's poses: numbered from 0, timed from its first pose.
private struct PoseStamps: Sendable {
  let began: Nanoseconds
  private var seq: UInt16 = 0

  init(began: Nanoseconds) { self.began = began }

  mutating func next(at time: Nanoseconds) -> (UInt16, UInt64) {
    defer { seq &+= 1 }
    return (seq, UInt64(max(0, time - began)) / 1_000)
  }
}

/// The new bytes after a message's header, at most ten.
private struct Patch: Sendable {
  private var bytes: (UInt64, UInt64) = (0, 0)
  private var mask: UInt16 = 0

  /// Sets the lowest `count` bytes of a number, least significant first, `offset` bytes from the message's start.
  mutating func put(_ number: UInt64, _ count: Int, at offset: Int) {
    for index in 0..<count {
      let place = offset - Header.size + index
      let byte = number >> UInt64(8 * index) & 0xff
      if place < 8 { bytes.0 |= byte << UInt64(8 * place) } else { bytes.1 |= byte << UInt64(8 * (place - 8)) }
      mask |= 1 << UInt16(place)
    }
  }

  /// The new byte at this offset after the header; nil leaves it unchanged.
  subscript(place: Int) -> UInt8? {
    guard place >= 0, place < 16, mask >> UInt16(place) & 1 == 1 else { return nil }
    return UInt8(truncatingIfNeeded: place < 8 ? bytes.0 >> UInt64(8 * place) : bytes.1 >> UInt64(8 * (place - 8)))
  }
}

/// Tracks the messages of TELE byte by byte: their starts and types.
private struct MessageScan: Sendable {
  /// The message's length.
  private(set) var length: Int
  /// Its type, once it is known.
  private(set) var type: UInt8 = 0
  /// The bytes to write into it.
  var patch = Patch()
  private let isFramed: Bool
  /// The index of the next byte in the message; over TCP, −2 and −1 are those of its length prefix.
  private var place: Int
  private var isOurs = true

  /// A datagram of this length.
  init(length: Int) {
    self.length = length
    isFramed = false
    place = 0
  }

  /// The start of a stream.
  init() {
    length = 0
    isFramed = true
    place = -2
  }

  /// Whether the header is complete and is a TELE header.
  var wantsPatch: Bool { place == Header.size && isOurs }

  /// Passes the next byte and returns it rewritten.
  mutating func pass(_ byte: UInt8) -> UInt8 {
    defer { advance() }
    switch place {
    case -2: length = Int(byte)
    case -1: length |= Int(byte) << 8
    case 0..<4: if byte != UInt8(truncatingIfNeeded: Header.magic >> UInt32(8 * place)) { isOurs = false }
    case Header.fields.type.offset: type = byte
    case Header.fields.version.offset: if byte != Header.version { isOurs = false }
    default: if isOurs, let new = patch[place - Header.size] { return new }
    }
    return byte
  }

  private mutating func advance() {
    place += 1
    guard isFramed, place >= 0, place >= length else { return }
    place = -2
    isOurs = true
    patch = Patch()
  }
}
