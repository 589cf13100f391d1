import TelecapRecording

/// Writes WAV files: RIFF with a format chunk and one data chunk (Microsoft, Multimedia Programming Interface 1.0).
public enum WAV {
  /// The maximum number of frames of a stereo file, whose sizes are 32-bit numbers.
  public static let mostFrames = (Int(UInt32.max) - 36) / 6

  /// The first 44 bytes of a file with this number of frames: 24-bit samples, as the seed's assets have (001, Asset
  /// Preparation).
  public static func header(frames: Int, channels: Int = 2, rate: Int = SoundRenderer.rate) -> [UInt8] {
    let width = 3 * channels
    let size = frames * width
    // A chunk of odd length is followed by a padding byte.
    return Array("RIFF".utf8) + number(36 + size + size % 2, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
      + number(channels, 2) + number(rate, 4) + number(rate * width, 4) + number(width, 2) + number(24, 2)
      + Array("data".utf8) + number(size, 4)
  }

  /// Appends samples of −1…1 as 24-bit numbers.
  public static func append(_ samples: [Float], to bytes: inout [UInt8]) {
    for sample in samples {
      let value = Int64(clampingRounded: Double(sample) * 8_388_607)
      for byte in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
  }

  private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
