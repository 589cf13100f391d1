/// The error for bytes that are not a playable WAV file.
public enum WAVError: Error, Hashable, Sendable {
  /// The file does not start with the header of WAV.
  case notWAV
  /// The file is truncated in the chunk that starts at this offset.
  case cutShort(offset: Int)
  /// A missing chunk: `fmt `, `data`.
  case missing(String)
  /// An unsupported encoding of the samples.
  case encoding(format: Int, bits: Int)
  /// An unsupported number of channels, or sample rate in Hz.
  case shape(channels: Int, rate: Int)
}

extension WAVError: CustomStringConvertible {
  /// The problem and its offset.
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

/// Reads the chunks of a RIFF file in order.
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
      // A chunk of odd length is followed by a padding byte.
      offset = begin + size + size % 2
    }
    throw .missing(format == nil ? "fmt" : "data")
  }

  private func format(at offset: Int, _ size: Int) -> Format {
    let code = number(at: offset, 2)
    return Format(
      // WAVE_FORMAT_EXTENSIBLE has the code in the first bytes of its GUID.
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

  /// A sample as −1…1; NaN becomes silence.
  private static func sample(_ value: Int, of format: Format) -> Float {
    if format.code == 3 {
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: value))
      return float.isNaN ? 0 : max(-1, min(1, float))
    }
    // Samples of 8 bits are unsigned around 128; larger ones are signed.
    let half = 1 << (format.bits - 1)
    let signed = format.bits == 8 ? value - half : value >= half ? value - 2 * half : value
    return max(-1, Float(signed) / Float(half - 1))
  }

  private func number(at offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private func text(at offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
}
