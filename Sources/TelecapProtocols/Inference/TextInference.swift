import TelecapWire

/// Looks for text: visible characters in each payload, letters and digits most of them. Fewer than six have a zero after them.
struct TextInference {
  let samples: [TrafficSample]

  /// The fewest characters, and those that show a text without a zero after it.
  private static let fewest = 4
  private static let fewestAlone = 6

  /// The texts in a range of bytes.
  func texts(in range: Range<Int>) -> [InferredField] {
    var (fields, offset) = ([InferredField](), range.lowerBound)
    while offset + TextInference.fewest <= range.upperBound {
      var end = range.upperBound
      for sample in samples where end > offset { end = TextInference.end(of: sample.bytes, from: offset, to: end) }
      if end > offset {
        fields.append(
          InferredField(
            offset: offset, size: end - offset, type: "text \(end - offset)", stem: "text",
            evidence: evidence(offset..<end)))
        offset = end
      } else {
        offset += 1
      }
    }
    return fields
  }

  /// The offset after a text and the zeros after it; `start` where there is none.
  private static func end(of bytes: [UInt8], from start: Int, to end: Int) -> Int {
    var index = start
    guard isLetter(bytes[start]) || bytes[start] == UInt8(ascii: "/") else { return start }
    while index < end, (0x20...0x7e).contains(bytes[index]) { index += 1 }
    let isEnded = index < end && bytes[index] == 0
    guard index - start >= (isEnded ? fewest : fewestAlone),
      bytes[start..<index].count(where: isLetter) * 2 > index - start
    else { return start }
    while index < end, bytes[index] == 0 { index += 1 }
    return index
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
  }

  private func evidence(_ range: Range<Int>) -> String {
    let texts = Set(samples.map { $0.bytes[range].prefix { $0 != 0 } })
    guard texts.count == 1, let text = texts.first else { return "visible characters, and zeros" }
    return "always '\(String(decoding: text, as: UTF8.self))'"
  }
}
