import TelecapRecording

/// Reads messages by their tables: says what a payload is and what is wrong with it, without allocating.
///
/// Nothing in here knows a field: everything comes from `Layout`. The tables are turned into flat lists of checks once,
/// when the decoder is made.
public struct MessageDecoder: Sendable {
  /// The checks of all messages, one message after the other.
  private let checks: [FieldCheck]
  private let plans: [Plan]

  /// What the decoder knows of a kind.
  private struct Plan {
    var checks: Range<Int>
    var fixedSize: Int
    /// The offset of the length of the text at the end, or −1; its size in bytes.
    var lengthOffset = -1
    var lengthSize = 0
    /// The offset of a quaternion's four floats, or −1.
    var quaternion = -1
    /// One bit for each dialect that may carry it.
    var dialects: UInt8 = 0
  }

  /// A decoder of every message there is.
  public init() {
    var checks: [FieldCheck] = []
    plans = MessageKind.allCases.map { kind in
      let layout = kind.layout
      let start = checks.count
      for (index, field) in layout.fields.enumerated() {
        if let check = FieldCheck(field, index: index, in: layout) { checks.append(check) }
      }
      var plan = Plan(checks: start..<checks.count, fixedSize: layout.fixedSize)
      if let length = layout.fields.last?.lengthRange, !length.isEmpty {
        plan.lengthOffset = length.lowerBound
        plan.lengthSize = length.count
      }
      if let first = layout.unitQuaternion.first, let field = layout[first] { plan.quaternion = field.offset }
      plan.dialects = layout.dialects.reduce(0) { $0 | 1 << $1.rawValue }
      return plan
    }
    self.checks = checks
  }

  /// What `bytes` are: one whole payload, or one message of a stream. Findings are appended.
  ///
  /// A message with a finding of severity error is not valid: a receiver drops it.
  public func decode(_ bytes: RawSpan, as dialect: Dialect, findings: inout [Finding]) -> MessageKind {
    switch dialect {
    case .teleUDP, .teleTCP: decodeTele(bytes, dialect, &findings)
    case .teleBLE:
      isAuth(bytes) ? validate(.bleAuth, bytes, dialect, &findings) : decodeTele(bytes, dialect, &findings)
    case .mouse: decodeMouse(bytes, &findings)
    case .mouseHID: decodeReport(bytes, &findings)
    }
  }

  /// Six raw bytes over Bluetooth are a code, also the code TELE42, and not a header without a message.
  private func isAuth(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount == PairingCode.size else { return false }
    return UInt32.read(bytes, at: 0) != Header.magic || Header.fields.version.value(in: bytes) != Header.version
  }

  private func decodeTele(_ bytes: RawSpan, _ dialect: Dialect, _ findings: inout [Finding]) -> MessageKind {
    let count = bytes.byteCount
    guard count >= Header.size else {
      findings.append(Finding(.truncated, 0..<count, .lengths(needed: Header.size, had: count)))
      return .teleMalformed
    }
    let magic = UInt32.read(bytes, at: 0) ?? 0
    guard magic == Header.magic else {
      findings.append(Finding(.magic, 0..<4, .found(UInt64(magic))))
      return .teleMalformed
    }
    let type = Header.fields.type.value(in: bytes) ?? 0
    var kind = MessageKind(teleType: type, dialect: dialect)
    let version = Header.fields.version.value(in: bytes) ?? 0
    guard version == Header.version else {
      findings.append(Finding(.version, 5..<6, .found(UInt64(version))))
      return kind
    }
    if kind == .teleUnknown {
      findings.append(Finding(.type, 4..<5, .found(UInt64(type))))
      return kind
    }
    if kind == .ack, count == AckTCP.layout.fixedSize { kind = .ackTCP }
    if kind == .ackTCP, count == Ack.layout.fixedSize { kind = .ack }
    return validate(kind, bytes, dialect, &findings)
  }

  private func decodeMouse(_ bytes: RawSpan, _ findings: inout [Finding]) -> MessageKind {
    guard let header = UInt8.read(bytes, at: 0) else {
      findings.append(Finding(.truncated, 0..<0, .lengths(needed: MousePacket.size, had: 0)))
      return .mouseMalformed
    }
    let kind: MessageKind
    switch header {
    case MousePacket.movementHeader: kind = .mouseMovement
    case MousePacket.controlHeader: kind = .mouseControl
    default:
      findings.append(Finding(.mouseHeader, 0..<1, .found(UInt64(header))))
      return .mouseMalformed
    }
    return validate(kind, bytes, .mouse, &findings)
  }

  private func decodeReport(_ bytes: RawSpan, _ findings: inout [Finding]) -> MessageKind {
    let short = bytes.byteCount == MouseReport.short.fixedSize
    return validate(short ? .mouseHIDShort : .mouseHID, bytes, .mouseHID, &findings)
  }

  /// Holds `bytes` to the table of `kind`.
  private func validate(
    _ kind: MessageKind, _ bytes: RawSpan, _ dialect: Dialect, _ findings: inout [Finding]
  ) -> MessageKind {
    let plan = plans[Int(kind.rawValue)]
    let count = bytes.byteCount
    var size = plan.fixedSize
    if count >= size, plan.lengthOffset >= 0 { size += length(plan, bytes) }
    if count < size {
      findings.append(Finding(.truncated, 0..<count, .lengths(needed: size, had: count)))
      return kind
    }
    if count > size {
      let rule: Rule = dialect.protocolName == "mouse" ? .mouseLength : .trailing
      findings.append(Finding(rule, size..<count, .lengths(needed: size, had: count)))
      if rule == .mouseLength { return kind }
    }
    if plan.dialects & (1 << dialect.rawValue) == 0 {
      let isAck = kind == .ack || kind == .ackTCP
      let rule: Rule = isAck && dialect != .teleBLE ? .ackDialect : .transport
      findings.append(Finding(rule, 0..<size, .kind(kind)))
    }
    for index in plan.checks { checks[index].run(bytes, size: size, kind, &findings) }
    if plan.quaternion >= 0 { checkQuaternion(bytes, at: plan.quaternion, &findings) }
    return kind
  }

  private func length(_ plan: Plan, _ bytes: RawSpan) -> Int {
    plan.lengthSize == 1
      ? Int(UInt8.read(bytes, at: plan.lengthOffset) ?? 0) : Int(UInt16.read(bytes, at: plan.lengthOffset) ?? 0)
  }

  /// The norm of the four floats at `offset` must be 1 within 1e-3; components that are not finite have been found
  /// already.
  private func checkQuaternion(_ bytes: RawSpan, at offset: Int, _ findings: inout [Finding]) {
    guard let x = Float.read(bytes, at: offset), let y = Float.read(bytes, at: offset + 4),
      let z = Float.read(bytes, at: offset + 8), let w = Float.read(bytes, at: offset + 12)
    else { return }
    let square = x * x + y * y + z * z + w * w
    // (1 ± 0.001)² lies in here; what lies outside takes the slow path with the exact norm.
    if square > 0.99801, square < 1.00199 { return }
    let norm = wideNorm(x, y, z, w)
    guard norm.isFinite, abs(norm - 1) > 1e-3 else { return }
    findings.append(Finding(.quaternion, offset..<offset + 16, .norm(Float(norm))))
  }

  private func wideNorm(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> Double {
    let squares = Double(x) * Double(x) + Double(y) * Double(y) + Double(z) * Double(z) + Double(w) * Double(w)
    return squares.squareRoot()
  }
}
