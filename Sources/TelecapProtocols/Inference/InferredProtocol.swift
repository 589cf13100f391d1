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
    var known = guess.fields
    let sum = ChecksumInference(samples: samples).checksum()
    // A checksum in a header belongs to all messages; one at the end is looked for in each.
    if let sum, sum.end < samples.minSize, !known.contains(where: { $0.overlaps(sum) }) { known.append(sum) }
    let end = known.map(\.end).max() ?? 0
    // Numbers of different messages at one offset are no measurements of one quantity.
    let kinds: [NumberInference.Kind] = guess.type == nil ? NumberInference.Kind.allCases : [.counter, .clock]
    header = FieldInference(samples: samples, known: known, kinds: kinds).fields(from: 0, to: end)
    let groups = InferredProtocol.groups(samples, by: guess.type)
    for group in groups {
      let isSplit = groups.count { $0.type == group.type } > 1
      messages.append(InferredProtocol.message(group, header: known, end: end, isSplit: isSplit))
    }
  }

  /// The payloads of one message.
  private struct Group {
    var type: UInt64?
    var isFromHost: Bool
    var samples: [TrafficSample]

    var sizes: Set<Int> { Set(samples.map(\.bytes.count)) }
  }

  /// The payloads by their types, or by their sizes where there is none. Messages of one type are two where both sides send it, each in a
  /// size of its own: the size tells them apart, and the sender alone does not.
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

  private static func message(
    _ group: Group, header: [InferredField], end: Int, isSplit: Bool
  ) -> InferredMessage {
    let all = group.samples
    let samples = Array(all.prefix(maxSamples))
    let (least, hasOneSize) = (all.minSize, Set(all.map(\.bytes.count)).count == 1)
    var known: [InferredField] = []
    if let sum = ChecksumInference(samples: samples).checksum(), sum.offset >= end { known.append(sum) }
    var fields = FieldInference(samples: samples, known: header + known).fields(from: end, to: least)
    if !hasOneSize {
      fields.append(
        InferredField(
          offset: least, size: nil, type: "rest", stem: "rest",
          evidence: "\(all.map(\.bytes.count).max() ?? 0) bytes in all at most"))
    }
    let isFromBoth = Set(all.map(\.isFromHost)).count > 1
    let number = group.type.map { $0 > 0xffff ? "0x\(String($0, radix: 16))" : "\($0)" }
    return InferredMessage(
      name: number.map { "TYPE_\($0)\(isSplit ? "_\(least)" : "")" } ?? "SIZE_\(least)", type: group.type,
      isFromHost: group.isFromHost,
      isFromBoth: isFromBoth, fields: fields, count: all.count)
  }
}

extension InferredField {
  fileprivate func overlaps(_ other: InferredField) -> Bool {
    (offset..<end).overlaps(other.offset..<other.end)
  }
}
