import TelecapWire

/// A protocol that was inferred from traffic: a beginning that a person finishes.
struct InferredProtocol {
  /// The fields that all messages begin with.
  private(set) var header: [InferredField] = []
  private(set) var messages: [InferredMessage] = []

  /// The protocol of these payloads, in the order of their times.
  init(_ samples: [TrafficSample]) {
    let samples = samples.filter { !$0.bytes.isEmpty }
    guard !samples.isEmpty else { return }
    let guess = HeaderInference(samples)
    let groups = InferredProtocol.groups(samples, by: guess.type)
    var known = guess.fields
    if groups.count > 1, let counter = InferredProtocol.sharedCounter(guess, groups) { known.append(counter) }
    let sum = ChecksumInference(samples).checksum()
    // A checksum in a header belongs to all messages; one at the end is looked for in each.
    if let sum, sum.end < samples.minSize, !known.contains(where: { $0.overlaps(sum) }) { known.append(sum) }
    let end = known.map(\.end).max() ?? 0
    // The length of a header counts only bytes after it.
    known = known.map { $0.excluded > end ? $0.withoutLength : $0 }
    header = FieldInference(samples: samples, known: known, isShared: groups.count > 1).fields(from: 0, to: end)
    let sums = InferredProtocol.checksums(groups, after: end)
    for (group, sum) in zip(groups, sums) {
      let isSplit = groups.count { $0.type == group.type } > 1
      messages.append(
        InferredProtocol.message(group, known: known + [sum].compactMap(\.self), end: end, isSplit: isSplit))
    }
  }

  /// The counter of all messages, where it is one more from payload to payload rather than from message to message of one type.
  private static func sharedCounter(_ guess: HeaderInference, _ groups: [Group]) -> InferredField? {
    guard let counter = guess.sharedCounter(), let size = counter.size else { return nil }
    let order = counter.order ?? .little
    let ones = CounterInference(guess.samples).ones(at: counter.offset, size, order)
    let ownOnes = groups.map { CounterInference($0.samples).ones(at: counter.offset, size, order) }.reduce(0, +)
    return ones >= ownOnes ? counter : nil
  }

  /// The checksum at the end of the payloads of each message. One that too few payloads show is the one of another message.
  private static func checksums(_ groups: [Group], after end: Int) -> [InferredField?] {
    var sums = groups.map { group in
      ChecksumInference(group.samples).checksum().flatMap { $0.offset >= end ? $0 : nil }
    }
    guard let known = sums.compactMap(\.self).first else { return sums }
    for (index, group) in groups.enumerated() where sums[index] == nil {
      sums[index] = ChecksumInference(group.samples).checksum(like: known)
    }
    return sums
  }

  /// The payloads of one message.
  private struct Group {
    var type: UInt64?
    var isFromHost: Bool
    var samples: [TrafficSample]

    var sizes: Set<Int> { Set(samples.map(\.bytes.count)) }
  }

  /// The payloads by their types, or by their sizes where there is none. Messages of one type are two where both sides send it, each in a
  /// size of its own: the size distinguishes them, and the sender alone does not.
  private static func groups(_ samples: [TrafficSample], by type: InferredField?) -> [Group] {
    var groups: [Group] = []
    // Payloads of many sizes are one message with a rest.
    let hasSizes = Set(samples.map(\.bytes.count)).count <= maxSizes
    for (key, samples) in Dictionary(grouping: samples, by: { Key($0, type, hasSizes: hasSizes) }) {
      let sides = [false, true].map { side in samples.filter { $0.isFromHost == side } }.filter { !$0.isEmpty }
      let parts = sides.map { Group(type: key.type, isFromHost: $0[0].isFromHost, samples: $0) }
      if parts.count == 2, parts.allSatisfy({ $0.sizes.count == 1 }), parts[0].sizes != parts[1].sizes {
        groups += parts
      } else {
        groups.append(Group(type: key.type, isFromHost: samples[0].isFromHost, samples: samples))
      }
    }
    return groups.sorted { ($0.type ?? 0, $0.samples.minSize) < ($1.type ?? 0, $1.samples.minSize) }
  }

  /// The maximum number of messages that sizes discriminate.
  private static let maxSizes = 8
  /// The number of payloads of a message that show its fields: more show the same and take longer.
  private static let maxSamples = 1_000

  /// The type of a payload, or its size where there is no type.
  private struct Key: Hashable {
    var type: UInt64?
    var size: Int?

    init(_ sample: TrafficSample, _ field: InferredField?, hasSizes: Bool) {
      type = field.flatMap { sample.number(at: $0.offset, $0.size ?? 1, $0.order ?? .little) }
      size = field == nil && hasSizes ? sample.bytes.count : nil
    }
  }

  private static func message(_ group: Group, known: [InferredField], end: Int, isSplit: Bool) -> InferredMessage {
    let all = group.samples
    let samples = Array(all.prefix(maxSamples))
    let (least, hasOneSize) = (all.minSize, Set(all.map(\.bytes.count)).count == 1)
    var fields = FieldInference(samples: samples, known: known).fields(from: end, to: least)
    if !hasOneSize {
      fields.append(
        InferredField(
          offset: least, size: nil, type: "rest", stem: "rest",
          evidence: "\(all.map(\.bytes.count).max() ?? 0) bytes in all at most"))
    }
    let isFromBoth = Set(all.map(\.isFromHost)).count > 1
    let name = group.type.map { "TYPE_\(InferredMessage.text($0))\(isSplit ? "_\(least)" : "")" } ?? "SIZE_\(least)"
    return InferredMessage(
      name: name, type: group.type, isFromHost: group.isFromHost, isFromBoth: isFromBoth, fields: fields,
      count: all.count)
  }
}

extension InferredField {
  fileprivate func overlaps(_ other: InferredField) -> Bool {
    (offset..<end).overlaps(other.offset..<other.end)
  }

  /// A length that counts less than what follows the header: a number for people.
  fileprivate var withoutLength: InferredField {
    var field = self
    field.keys = []
    return field
  }
}
