import TelecapConformance
import TelecapText
import TelecapWire

/// Reads the checksums of fields, once all fields of a message are known.
enum ChecksumReader {
  /// The checksum of a field; nil where it holds none.
  ///
  /// - Parameter rows: all fields of the message, this one among them.
  static func read(
    _ entry: YAMLValue, _ row: FieldRow, among rows: [FieldRow], of owner: String
  ) throws(YAMLFileError) -> Checksum? {
    guard let value = entry["check"] else { return nil }
    if let other = FieldRules.given(entry).first ?? ["is", "scale", "offset"].first(where: { entry[$0] != nil }) {
      throw entry.at(other).error("\"\(row.name)\" is a checksum, which \"\(other)\" cannot hold")
    }
    guard row.type.isWhole, !row.type.isSigned, !row.type.isSlice, row.type.bitCount <= 32 else {
      throw value.error("a checksum is u8, u16, u24 or u32; \"\(row.name)\" is \(row.type.name)")
    }
    let algorithm = try algorithm(value, row)
    var (from, to): (FieldEdge, FieldEdge?) = (.start, row.startEdge)
    if let name = value["from"], name.text != "start" { from = try start(of: field(name, row, rows), name) }
    if let name = value["to"] {
      to = name.text == "end" ? nil : try end(of: field(name, row, rows), name)
    }
    if let to, to.offset <= from.offset, !to.isShifted {
      throw value.at("to").error("the checksum covers nothing: its range ends before it begins")
    }
    if from == row.startEdge, to == row.endEdge {
      throw value.at("from").error(
        "the checksum covers only itself: name the first and the last field that it covers, or leave out \"from\" and "
          + "\"to\"")
    }
    var extra: UInt8?
    if let byte = value["extra"] {
      guard let number = byte.unsigned, number <= 255 else { throw byte.error("\"extra\" is a byte, 0 to 255") }
      extra = UInt8(number)
    }
    return Checksum(
      algorithm, from: from, to: to, extra: extra, Rule.checksum(named: row.name, protocolName: owner))
  }

  private static func algorithm(_ value: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> ChecksumAlgorithm {
    let (word, bits) = (value["algorithm"] ?? value, row.type.bitCount)
    let name = word.text ?? ""
    let numbers = ["polynomial", "init", "xorout"]
    let mask = UInt64.max >> UInt64(64 - bits)
    var given: [String: UInt64] = [:]
    for key in numbers {
      guard let number = value[key] else { continue }
      guard let bits = number.unsigned, bits <= mask else {
        throw number.error("\"\(key)\" is a number of \(bits) bits, as \"\(row.name)\" is")
      }
      given[key] = bits
    }
    if name == "crc" {
      guard let polynomial = given["polynomial"] else {
        throw word.error("\"algorithm: crc\" requires \"polynomial\", without its highest bit")
      }
      return ChecksumAlgorithm(
        .crc(polynomial: polynomial, isReflected: value["reflect"]?.flag == true), bits: bits,
        initial: given["init"] ?? 0, xorOut: given["xorout"] ?? 0)
    }
    guard let known = ChecksumAlgorithm.named(name, bits: bits) else {
      throw Spelled.unknown(word, "checksum", among: ChecksumAlgorithm.names + ["crc"])
    }
    guard known.bits == bits else {
      throw word.error("\(name) has \(known.bits) bits: \"\(row.name)\" is \(row.type.name)")
    }
    let isCRC = if case .crc = known.method { true } else { false }
    let meaningless = isCRC ? numbers + ["reflect"] : ["polynomial", "reflect"]
    if let other = meaningless.first(where: { value[$0] != nil }) {
      throw value.at(other).error("\"\(other)\" is for \"algorithm: crc\"; \(name) has its own")
    }
    return ChecksumAlgorithm(
      known.method, bits: bits, initial: given["init"] ?? known.initial, xorOut: given["xorout"] ?? known.xorOut)
  }

  private static func field(_ name: YAMLValue, _ row: FieldRow, _ rows: [FieldRow]) throws(YAMLFileError) -> FieldRow {
    guard let found = rows.first(where: { $0.name == name.text }) else {
      throw Spelled.unknown(name, "field that a checksum covers", among: rows.map(\.name))
    }
    return found
  }

  private static func start(of row: FieldRow, _ name: YAMLValue) throws(YAMLFileError) -> FieldEdge {
    if let payload = row.cutPayload, row.offset != payload.range.lowerBound { throw inPayload(row, name) }
    guard row.beginsByte else {
      throw name.error(
        "\"\(row.name)\" begins within a byte, and a checksum covers whole ones: name the first field of that byte")
    }
    return row.startEdge
  }

  private static func inPayload(_ row: FieldRow, _ name: YAMLValue) -> YAMLFileError {
    name.error("zeros after \"\(row.name)\" may be cut: name the first field of the payload, or the last")
  }

  private static func end(of row: FieldRow, _ name: YAMLValue) throws(YAMLFileError) -> FieldEdge {
    guard !row.takesRest else {
      throw name.error("\"\(row.name)\" takes the rest of the message: write \"to: end\"")
    }
    if let payload = row.cutPayload, row.offset + (row.type.size ?? 0) != payload.range.upperBound {
      throw inPayload(row, name)
    }
    guard row.bitsTaken == 0 else {
      throw name.error(
        "\"\(row.name)\" ends within a byte, and a checksum covers whole ones: name the last field of that byte")
    }
    return row.endEdge
  }

  /// Two checksums that cover one another could not be computed, also where one of them is in the header.
  static func check(_ reads: [FieldReader.Read], behind header: [FieldRow]) throws(YAMLFileError) {
    let sums = reads.filter { $0.row.check != nil }
    for (index, other) in sums.enumerated() {
      let before = header.filter { $0.check != nil } + sums[..<index].map(\.row)
      for one in before where one.covers(other.row) && other.row.covers(one) {
        throw other.entry.at("check").error(
          "\"\(one.name)\" and \"\(other.row.name)\" are checksums that cover one another: name the first and the "
            + "last field that \"\(other.row.name)\" covers, as check: {algorithm: …, from: …, to: …}")
      }
    }
  }
}
