import TelecapConformance
import TelecapText
import TelecapWire

/// The messages of a replay, a row for each kind and stream. In each row, sent + duplicated = dropped + undelivered +
/// delivered, and delivered = applied + stale + refused + unaccounted.
public struct MessageGrid: Sendable {
  /// A row: one kind of message, as values of one stream if its receiver reports reactions.
  public struct Row: Hashable, Sendable {
    /// The name of the message.
    public var message: String
    /// The name of the stream; nil where no reactions are known.
    public var stream: String?
    /// Messages that the recording sent, further copies by the network, and messages that it dropped.
    public var sent = 0, duplicated = 0, dropped = 0
    /// Messages that reached the receiver; nil if telecap cannot observe that.
    public var delivered: Int?
    /// The receiver's reactions; nil where they are unknown.
    public var reactions: ReceivedMessages.Reactions?

    /// Copies that the network let through.
    public var forwarded: Int { sent + duplicated - dropped }
    /// Forwarded messages that did not reach the receiver: lost in a socket, or not sent before an early end.
    public var undelivered: Int { delivered.map { forwarded - $0 } ?? 0 }
    /// Delivered messages without a known reaction.
    public var unaccounted: Int {
      guard let delivered, let reactions else { return 0 }
      return delivered - reactions.total
    }
  }

  /// The rows, in the order of the protocol's messages.
  public private(set) var rows: [Row] = []

  /// The grid of what was planned and, for a receiver that telecap observes, of what it received.
  public init(_ planned: PlannedMessages, _ received: ReceivedMessages?) {
    for (kind, message) in planned.owner.messages.enumerated() {
      let counts = planned.counts[kind]
      var row = Row(message: message.name)
      (row.sent, row.duplicated, row.dropped) = (counts.sent, counts.duplicated, counts.dropped)
      row.delivered = received.map { kind < $0.delivered.count ? $0.delivered[kind] : 0 }
      guard row.sent > 0 || row.delivered ?? 0 > 0 else { continue }
      let reactions = received?.reactions(to: kind) ?? []
      if reactions.isEmpty { add(row) }
      for (stream, counts) in reactions {
        (row.stream, row.reactions) = (stream, counts)
        add(row)
      }
    }
  }

  /// Adds a row; a message may have a form for each transport, and they are one row.
  private mutating func add(_ row: Row) {
    guard let index = rows.firstIndex(where: { $0.message == row.message && $0.stream == row.stream }) else {
      return rows.append(row)
    }
    rows[index].sent += row.sent
    rows[index].duplicated += row.duplicated
    rows[index].dropped += row.dropped
    if let more = row.delivered { rows[index].delivered = (rows[index].delivered ?? 0) + more }
    if let more = row.reactions { rows[index].reactions = (rows[index].reactions ?? .init()) + more }
  }

  // MARK: - Text

  private struct Column {
    let name: String
    let value: @Sendable (Row) -> Int?
  }

  private static let columns = [
    Column(name: "sent") { $0.sent }, Column(name: "dup") { $0.duplicated }, Column(name: "dropped") { $0.dropped },
    Column(name: "undelivered") { $0.undelivered },
    Column(name: "delivered") { $0.delivered }, Column(name: "applied") { $0.reactions?.applied },
    Column(name: "stale") { $0.reactions?.stale }, Column(name: "refused") { $0.reactions?.refused },
    Column(name: "unaccounted") { $0.reactions == nil ? nil : $0.unaccounted },
  ]
  /// Columns that are shown even if all their counts are 0.
  private static let always: Set = ["sent", "delivered", "applied"]

  /// The grid as lines. Columns without a count are left out, and of most columns those with zeros only.
  public var lines: [String] {
    let shown = MessageGrid.columns.filter { column in
      let values = rows.compactMap(column.value)
      return MessageGrid.always.contains(column.name) ? !values.isEmpty : values.contains { $0 != 0 }
    }
    var table = TextTable(rightAligned: Set(1...max(1, shown.count)))
    table.add(row: ["message"] + shown.map(\.name))
    for row in rows {
      table.add(row: [row.name] + shown.map { $0.value(row).map(Numbers.grouped) ?? "-" })
    }
    return rows.isEmpty ? [] : table.lines(indent: "")
  }

  // MARK: - JSON

  /// The rows as an array of the object that is open.
  public func write(to json: inout JSONWriter) {
    json.beginArray("messages")
    for row in rows {
      json.beginObject()
      json.put("message", row.message)
      if let stream = row.stream { json.put("stream", stream) }
      json.put("sent", row.sent)
      json.put("duplicated", row.duplicated)
      json.put("dropped", row.dropped)
      if let delivered = row.delivered {
        json.put("undelivered", row.undelivered)
        json.put("delivered", delivered)
      }
      if let reactions = row.reactions {
        json.put("applied", reactions.applied)
        json.put("stale", reactions.stale)
        json.put("refused", reactions.refused)
        json.put("unaccounted", row.unaccounted)
      }
      json.endObject()
    }
    json.endArray()
  }
}

extension MessageGrid.Row {
  /// `POSE`; with its stream where that has another name: `MOVE (pointer)`.
  fileprivate var name: String {
    guard let stream, stream.lowercased() != message.lowercased() else { return message.printable }
    return "\(message) (\(stream))".printable
  }
}
