/// Why bytes are no WAV file that can be played.
public enum WAVError: Error, Hashable, Sendable {
  /// It does not begin as one.
  case notWAV
  /// It ends in the middle of what begins at this offset.
  case cutShort(offset: Int)
  /// A part is missing: `fmt `, `data`.
  case missing(String)
  /// Its samples are coded so.
  case encoding(format: Int, bits: Int)
  /// So many channels a sample, so many samples a second.
  case shape(channels: Int, rate: Int)
}

extension WAVError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .notWAV: "no WAV file: it does not begin with RIFF and WAVE"
    case .cutShort(let offset): "offset \(offset): the file ends in the middle of this part"
    case .missing(let part): "no \(part) part"
    case .encoding(let format, let bits):
      "samples of format \(format) with \(bits) bits; 8 to 32-bit PCM (1) and 32-bit float (3) are read"
    case .shape(let channels, let rate):
      "\(channels) channels at \(rate) Hz; 1 or 2 channels at 1000 to 384000 Hz are read"
    }
  }
}

extension SoundClip {
  /// The sound in the bytes of a WAV file: PCM of 8 to 32 bits or 32-bit floats, one channel or two.
  public init(wav bytes: [UInt8]) throws(WAVError) { self = try WAVReader(bytes).clip() }
}

/// The parts of a RIFF file, one behind the other.
private struct WAVReader {
  private struct Format {
    var code: Int
    var channels: Int
    var rate: Int
    var bits: Int

    func check() throws(WAVError) {
      guard (1...2).contains(channels), (1_000...384_000).contains(rate) else {
        throw .shape(channels: channels, rate: rate)
      }
      guard code == 3 && bits == 32 || code == 1 && [8, 16, 24, 32].contains(bits) else {
        throw .encoding(format: code, bits: bits)
      }
    }
  }

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func clip() throws(WAVError) -> SoundClip {
    guard bytes.count >= 12, text(at: 0) == "RIFF", text(at: 8) == "WAVE" else { throw .notWAV }
    var format: Format?
    var offset = 12
    while offset + 8 <= bytes.count {
      let (begin, size) = (offset + 8, number(at: offset + 4, 4))
      guard begin + size <= bytes.count else { throw .cutShort(offset: offset) }
      switch text(at: offset) {
      case "fmt ":
        guard size >= 16 else { throw .cutShort(offset: offset) }
        format = self.format(at: begin, size)
      case "data":
        guard let format else { throw .missing("fmt") }
        try format.check()
        return clip(of: format, at: begin, size)
      default: break
      }
      // A part of an odd length is followed by one byte.
      offset = begin + size + size % 2
    }
    throw .missing(format == nil ? "fmt" : "data")
  }

  private func format(at offset: Int, _ size: Int) -> Format {
    let code = number(at: offset, 2)
    return Format(
      // WAVE_FORMAT_EXTENSIBLE holds the code in the first bytes of its GUID.
      code: code == 0xfffe && size >= 26 ? number(at: offset + 24, 2) : code, channels: number(at: offset + 2, 2),
      rate: number(at: offset + 4, 4), bits: number(at: offset + 14, 2))
  }

  private func clip(of format: Format, at begin: Int, _ size: Int) -> SoundClip {
    let width = format.bits / 8
    let frames = size / (width * format.channels)
    let channels = (0..<format.channels).map { channel in
      (0..<frames).map { frame in
        let value = number(at: begin + (frame * format.channels + channel) * width, width)
        return WAVReader.sample(value, of: format)
      }
    }
    return SoundClip(rate: format.rate, channels: channels)
  }

  /// A sample as −1…1; what is not a number is silence.
  private static func sample(_ value: Int, of format: Format) -> Float {
    if format.code == 3 {
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: value))
      return float.isNaN ? 0 : max(-1, min(1, float))
    }
    // 8 bits stand around 128, more around 0.
    let half = 1 << (format.bits - 1)
    let signed = format.bits == 8 ? value - half : value >= half ? value - 2 * half : value
    return max(-1, Float(signed) / Float(half - 1))
  }

  private func number(at offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private func text(at offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
}
