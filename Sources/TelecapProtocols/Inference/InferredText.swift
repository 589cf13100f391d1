import TelecapText
import TelecapWire

/// A protocol file that begins with what was inferred from traffic.
struct InferredText {
  let name: String
  let port: UInt16
  /// The name of the capture.
  let source: String
  let declared: InferredProtocol

  /// The text of the file. Its fields have comments with the evidence.
  var text: String {
    let order = byteOrder
    var lines = [
      "# Inferred by telecap from \(source.printable): check each field, give it a name, a unit and a range",
      "# (Documentation/reference/protocol-file.md), and add the sessions. Comments have the observed values.",
      "protocol: \(name)", "title: \(name)", "byte-order: \(order.rawValue)", "", "carriers:",
      "  - {name: udp, over: udp, port: \(port)}", "",
    ]
    let header = Named(declared.header, after: [])
    if !declared.header.isEmpty { lines += ["header:"] + header.lines(order, indented: 2) + [""] }
    lines.append("messages:")
    for message in declared.messages { lines += self.lines(of: message, header, order) }
    lines += streams(header)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The order that most fields have.
  private var byteOrder: ByteOrder {
    let orders = (declared.header + declared.messages.flatMap(\.fields)).compactMap(\.order)
    return orders.count { $0 == .big } * 2 > orders.count ? .big : .little
  }

  private func lines(of message: InferredMessage, _ header: Named, _ order: ByteOrder) -> [String] {
    let fields = Named(message.fields, after: header.names)
    var lines = ["  - name: \(message.name)  # \(Numbers.counted(message.count, "payload"))"]
    if let type = message.type { lines.append("    type: \(InferredMessage.text(type))") }
    lines.append("    from: \(message.isFromHost ? "host" : "client")")
    if message.isFromBoth { lines.append("    both-ways-over: udp") }
    if !message.fields.isEmpty { lines += ["    fields:"] + fields.lines(order, indented: 6, names: header) }
    return lines
  }

  /// A stream for each message with a counter and with numbers that change, so that a suite follows.
  private func streams(_ header: Named) -> [String] {
    let lines = declared.messages.compactMap { message -> String? in
      let fields = Named(message.fields, after: header.names)
      let all = Array(zip(header.fields + fields.fields, header.names + fields.names))
      // A counter in the header counts other messages too: it puts no stream in order.
      guard let (counter, name) = all.dropFirst(header.fields.count).first(where: { $0.0.stem == "counter" }) else {
        return nil
      }
      let values = all.filter { ["value", "number"].contains($0.0.stem) }.map(\.1).prefix(16)
      guard !values.isEmpty else { return nil }
      var keys = [
        "name: \(message.name.lowercased().replacing("_", with: "-"))", "message: \(message.name)",
        counter.skipsZero ? "order: {field: \(name), unused: 0}" : "order: \(name)",
      ]
      if let offset = counter.key {
        guard let key = all.first(where: { $0.0.offset == offset && $0.0.type == "u8" })?.1 else { return nil }
        keys.append("key: [\(key)]")
      }
      return "  - {\(keys.joined(separator: ", ")), values: [\(values.joined(separator: ", "))]}"
    }
    return lines.isEmpty ? [] : ["", "streams:"] + lines
  }

  /// Fields with names that no other field of the message has.
  private struct Named {
    let fields: [InferredField]
    let names: [String]

    init(_ fields: [InferredField], after taken: [String]) {
      self.fields = fields
      var names: [String] = []
      for field in fields {
        let stem = field.stem
        var (name, number) = (stem, 1)
        while (taken + names).contains(name) {
          number += 1
          name = "\(stem)\(number)"
        }
        names.append(name)
      }
      self.names = names
    }

    /// The name of the field that begins at an offset.
    func name(at offset: Int) -> String? { zip(fields, names).first { $0.0.offset == offset }?.1 }

    func lines(_ order: ByteOrder, indented indent: Int, names header: Named? = nil) -> [String] {
      zip(fields, names).map { field, name in
        var keys = ["name: \(name)", "type: \(field.type)"] + field.keys
        if field.order != nil, field.order != order { keys.append("byte-order: \(field.order?.rawValue ?? "")") }
        if let check = field.check {
          let first = self.name(at: check.from) ?? header?.name(at: check.from)
          let from = check.from == 0 ? "" : ", from: \(first ?? "start")"
          let extra = check.extra.map { ", extra: \($0)" } ?? ""
          let initial = check.initial.map { ", init: 0x\(String($0, radix: 16))" } ?? ""
          let to = check.reachesEnd ? ", to: end" : ""
          keys.append("check: {algorithm: \(check.algorithm)\(initial)\(from)\(extra)\(to)}")
        }
        let row = String(repeating: " ", count: indent) + "- {\(keys.joined(separator: ", "))}"
        return field.evidence.isEmpty ? row : "\(row)  # \(field.evidence)"
      }
    }
  }
}
