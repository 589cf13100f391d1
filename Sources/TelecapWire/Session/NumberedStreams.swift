import TelecapRecording

/// The streams of numbers of a pair, for each kind of message.
struct NumberedStreams: Sendable {
  /// The streams of one kind of message, by one of its numberings.
  struct Numbers: Sendable {
    let kind: MessageKind
    let numbering: Int
    var sequences: KeyedSequences
    /// A message came whose stream is not followed, and that was said.
    var isFull = false
  }

  /// The first kind with one stream only. Mostly there is no other, so it is stored inline.
  private var firstKind: MessageKind?
  private var first = SequenceTracker()
  var others: [Numbers] = []
  /// That the sender has one counter for several streams was said.
  var isShared = false
  /// There are messages of several kinds with numbers, or of several keys.
  var hasOthers: Bool { !others.isEmpty }

  /// How many of the numbers before `seq` that lack in messages of one kind came in messages of other kinds that go the same
  /// way and have their number at the same place: none where the others have numbers of their own.
  func explained(
    _ missing: Int, before seq: UInt64, after newest: UInt64, _ numbered: SessionPart.Numbered, _ kind: MessageKind
  ) -> Int {
    guard (1..<64).contains(missing) else { return 0 }
    let order = numbered.order
    func isAlike(_ other: MessageKind) -> Bool {
      guard other != kind, other.layoutDirection == kind.layoutDirection, let row = other.numbering?.order else {
        return false
      }
      return FieldPlace(row) == order
    }
    let alike = others.filter { isAlike($0.kind) }.map(\.sequences)
    let only = firstKind.map(isAlike) == true ? first : nil
    func came(_ number: UInt64) -> Bool { only?.saw(number) == true || alike.contains { $0.saw(number) } }
    if came(seq) || came(newest) { return 0 }
    let numbers = (1...UInt64(missing)).map { numbered.numbers.number($0, before: seq) }
    guard isShared || numbers.contains(where: came) else { return 0 }
    // A number that neither has was found missing once.
    return numbers.count { number in only?.covers(number) == true || alike.contains { $0.covers(number) } }
  }

  /// Takes the next number of the only stream of a kind: what it is, and the newest before it.
  @inline(__always)
  mutating func receive(
    _ seq: UInt64, of kind: MessageKind, _ part: SessionPart
  ) -> (arrival: SequenceTracker.Arrival, newest: UInt64) {
    if firstKind == kind {
      let newest = first.newest ?? seq
      return (first.receive(seq), newest)
    }
    return receiveOther(seq, of: kind, part.numbered[0])
  }

  @inline(never)
  private mutating func receiveOther(
    _ seq: UInt64, of kind: MessageKind, _ numbered: SessionPart.Numbered
  ) -> (arrival: SequenceTracker.Arrival, newest: UInt64) {
    if firstKind == nil {
      firstKind = kind
      first = SequenceTracker(numbered.numbers)
      return (first.receive(seq), seq)
    }
    let streams = place(of: kind, 0, numbered)
    let received = others[streams].sequences.receive(seq) { _ in 0 }
    return received.map { ($0.arrival, $0.newest) } ?? (.next, seq)
  }

  /// The place in `others` of the streams of a kind of message, by one of its numberings.
  mutating func place(of kind: MessageKind, _ numbering: Int, _ numbered: SessionPart.Numbered) -> Int {
    for place in others.indices where others[place].kind == kind && others[place].numbering == numbering {
      return place
    }
    let sequences = KeyedSequences(numbered.numbers, keyOf: numbered.key.count)
    others.append(Numbers(kind: kind, numbering: numbering, sequences: sequences))
    return others.count - 1
  }

  /// A session has begun or ended.
  mutating func forget() {
    (firstKind, isShared) = (nil, false)
    others.removeAll(keepingCapacity: true)
  }
}
