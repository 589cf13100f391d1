import TelecapText

/// Writes a plan as JSON Lines at the end of a buffer, with nothing allocated for a line once the buffer is large enough.
/// The same values give the same bytes: keys in a fixed order, no spaces, absent ones left out.
public enum PlanWriter {
  /// Appends the header and a line feed.
  public static func append(_ header: PlanHeader, to buffer: inout [UInt8]) {
    put("{\"format\":\"telecap-plan\",\"version\":", &buffer)
    put(UInt64(PlanHeader.version), &buffer)
    put(",\"seed\":", &buffer)
    put(header.seed, &buffer)
    put(",\"capture\":", &buffer)
    JSONWriter.quote(header.capture.utf8, to: &buffer)
    put(",\"where\":", &buffer)
    JSONWriter.quote(header.selection.utf8, to: &buffer)
    put(",\"impairments\":", &buffer)
    JSONWriter.quote(header.impairments.description.utf8, to: &buffer)
    put(",\"speed\":", &buffer)
    JSONWriter.quote(header.speed.description.utf8, to: &buffer)
    put("}\n", &buffer)
  }

  /// Appends the line of one packet and a line feed. `list` has the names of the impairments; one that is not on it is
  /// left out.
  public static func append(_ line: PlanLine, to buffer: inout [UInt8], naming list: ImpairmentList = .all) {
    put("{\"packet\":", &buffer)
    put(UInt64(clamping: line.packet), &buffer)
    put(line.verdict == .drop ? ",\"verdict\":\"drop\"" : ",\"verdict\":\"deliver\"", &buffer)
    if let impairment = line.by, let name = list.name(of: impairment) {
      put(",\"by\":\"", &buffer)
      buffer.append(contentsOf: name.utf8)
      put("\"", &buffer)
    }
    putList(",\"due\":", line.due, &buffer)
    putList(",\"flip\":", line.flips, &buffer)
    put("}\n", &buffer)
  }

  private static func putList<Element>(_ key: StaticString, _ list: Few<Element>, _ buffer: inout [UInt8]) {
    guard !list.isEmpty else { return }
    put(key, &buffer)
    for index in 0..<list.count {
      buffer.append(UInt8(ascii: index == 0 ? "[" : ","))
      put(UInt64(clamping: list[index]), &buffer)
    }
    buffer.append(UInt8(ascii: "]"))
  }

  private static func put(_ text: StaticString, _ buffer: inout [UInt8]) {
    text.withUTF8Buffer { buffer.append(contentsOf: $0) }
  }

  private static func put(_ number: UInt64, _ buffer: inout [UInt8]) {
    // From the last digit on: 20 are the most that there are.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var first = digits.count
      var rest = number
      repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      buffer.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }
}
