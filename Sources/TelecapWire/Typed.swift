/// The table of a message, as a type: fields and what is written into them are bound to it when the code is compiled.
public protocol MessageTable {
  /// The messages that have this table.
  static var kinds: [MessageKind] { get }
}

/// A message of which it is known which table it has: a field of another message cannot be written into it.
public struct Typed<Table: MessageTable>: Hashable, Sendable {
  /// The message.
  public private(set) var message: Message

  /// An empty message of the table's first kind.
  public init() { self.init(empty: Table.kinds[0]) }

  /// An empty message of one of the table's kinds.
  ///
  /// - Precondition: the kind has the table.
  public init(empty kind: MessageKind) {
    precondition(Table.kinds.contains(kind), "\(kind) has another table")
    message = Message(empty: kind)
  }

  /// The same message, its table known; nil where it has another.
  public init?(_ message: Message) {
    guard Table.kinds.contains(message.kind) else { return nil }
    self.message = message
  }

  /// A field's value. A field that lies past the message's end reads as 0 and is not written.
  public subscript<Value: WireValue>(field: Field<Value, Table>) -> Value where Value: ExpressibleByIntegerLiteral {
    get { field.value(in: message.bytes.span.bytes) ?? 0 }
    set { message.store(newValue.wireBits, MemoryLayout<Value>.size, at: field.offset) }
  }

  /// Puts text at its place, whatever the field's rule.
  public mutating func store(_ text: [UInt8], in field: TextField) { message.store(text, in: field) }

  /// Puts text at its place, and its length where a field says that.
  /// - Throws: `WireError` when the field cannot hold it.
  public mutating func set(_ field: TextField, to text: String) throws(WireError) {
    try message.set(field.row.name, to: .text(text))
  }
}
