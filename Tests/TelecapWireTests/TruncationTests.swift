import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

/// Every message cut at every length, and with bytes after it.
@Suite struct TruncationTests {
  @Test("Every shorter length gives one finding, with the needed and the present bytes", arguments: Sample.all)
  func everyLength(_ sample: Sample) {
    for had in 0..<sample.bytes.count {
      let (kind, findings) = decode(Array(sample.bytes.prefix(had)), as: sample.dialect)
      if let other = TruncationTests.wholeInAnotherForm(sample, had) {
        #expect(kind == other, "cut to \(had)")
        #expect(!findings.contains { $0.severity == .error }, "cut to \(had)")
        continue
      }
      let needed = TruncationTests.needed(sample, had)
      #expect(
        findings == [Finding(.truncated, 0..<had, .lengths(needed: needed, had: had))], "cut to \(had)")
      #expect(findings.first?.description == "truncated: needed \(needed) bytes, had \(had)")
      #expect(findings.first?.severity == .error)
      #expect(Message(decoding: sample.bytes.prefix(had), as: sample.dialect) == nil)
    }
  }

  /// The kind of the first `had` bytes if they are a whole message themselves.
  private static func wholeInAnotherForm(_ sample: Sample, _ had: Int) -> MessageKind? {
    switch (sample.kind, had) {
    case (.ackTCP, 8): .ack
    case (.mouseHID, 5): .mouseHIDShort
    default: nil
    }
  }

  /// The length that a reader knows to be needed after `had` bytes.
  private static func needed(_ sample: Sample, _ had: Int) -> Int {
    switch sample.kind {
    case .bleAuth: 6
    case .mouseHIDShort, .mouseHID: 6
    case .mouseMovement, .mouseControl: 5
    default:
      if had < Header.size {
        Header.size
      } else if had < sample.kind.layout.fixedSize {
        sample.kind.layout.fixedSize
      } else {
        sample.bytes.count
      }
    }
  }

  @Test("Bytes after a TELE message are a warning, and the message stays unchanged", arguments: Sample.all)
  func trailing(_ sample: Sample) {
    guard sample.dialect.protocolName == "tele", sample.kind != .bleAuth else { return }
    for extra in [1, 3, 200] {
      let size = sample.bytes.count
      let longer = sample.bytes + [UInt8](repeating: 0xee, count: extra)
      let (kind, findings) = decode(longer, as: sample.dialect)
      #expect(kind == sample.kind)
      #expect(findings == [Finding(.trailing, size..<size + extra, .lengths(needed: size, had: size + extra))])
      #expect(findings.first?.severity == .warning)
      let message = Message(decoding: longer, as: sample.dialect)
      for field in kind.layout.fields {
        #expect(message?.value(of: field.name) == sample.message.value(of: field.name), "\(field.name)")
      }
      #expect(message?.bytes == longer, "written back as it came")
    }
  }

  @Test(
    "Lengths between the two sizes of ACK are too long for udp-v1, and too short for tcp-v1", arguments: [9, 10, 11])
  func betweenAcks(_ count: Int) {
    let bytes = Array(Message.ackTCP(.ok).bytes.prefix(count))
    #expect(decode(bytes, as: .teleUDP) == (.ack, [Finding(.trailing, 8..<count, .lengths(needed: 8, had: count))]))
    #expect(
      decode(bytes, as: .teleTCP) == (.ackTCP, [Finding(.truncated, 0..<count, .lengths(needed: 12, had: count))]))
  }

  @Test("A mouse packet that is too long is dropped", arguments: [Dialect.mouse, .mouseHID])
  func longMouse(_ dialect: Dialect) {
    let bytes: [UInt8] = [0xaa, 0, 1, 2, 3, 4, 5]
    let size = dialect == .mouse ? 5 : 6
    let (_, findings) = decode(bytes, as: dialect)
    #expect(findings == [Finding(.mouseLength, size..<7, .lengths(needed: size, had: 7))])
    #expect(Message(decoding: bytes, as: dialect) == nil)
  }

  @Test("A length from the wire is used only within the bytes")
  func lyingLengths() {
    #expect(
      decode(hex("54454c450901ffff7b7d"), as: .teleTCP)
        == (.config, [Finding(.truncated, 0..<10, .lengths(needed: 65_543, had: 10))]))
    #expect(
      decode(hex("54454c45080150c3ff0061"), as: .teleUDP)
        == (.beacon, [Finding(.truncated, 0..<11, .lengths(needed: 265, had: 11))]))
  }
}
