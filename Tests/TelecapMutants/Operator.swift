/// The kinds of change, by which the score is reported.
public enum Operator: String, Sendable, CaseIterable {
  /// A field is not read: a default replaces it, or its first value for ever.
  case ignored
  /// A field is taken for its neighbour of the same type.
  case swapped
  /// A number is doubled, halved or negated, or loses its sign.
  case scaled
  /// The bytes of a number in the other order.
  case byteOrder = "byte-order"
  /// A width cut: some bits of a number only.
  case cut
  /// A number that is off by one step.
  case step
  /// A bound moved by one step, or not held to.
  case bound
  /// `<` for `≤`, or another comparison.
  case comparison
  /// One code taken for another.
  case code
  /// A condition of a rule is not looked at.
  case condition
  /// A condition that no rule has.
  case strictness
  /// A message or an effect is lost: always, the first, once after an event, one in n.
  case lost
  /// A message or an effect comes twice.
  case repeated
  /// A message or an effect comes later than the settle time.
  case late
  /// From or to the wrong peer.
  case stranger
  /// A state is not begun afresh where it should be, or is where it should not.
  case reset
  /// An event makes no difference, or one that it should not.
  case event
  /// A timer is halved, doubled or never ends.
  case timer
  /// An answer to what asks for none.
  case answer
  /// Something is sent or played outside a session.
  case outside
  /// A stream is cut into messages in another way.
  case framing
  /// The system ends at what it should drop.
  case crash
}
