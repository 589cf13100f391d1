/// The metadata of a packet in addition to its frame (draft-ietf-opsawg-pcapng §4.3, options).
public struct PacketNote: Hashable, Sendable {
  /// The comments of users and programs (opt_comment).
  public var comments: [String]
  /// Its direction and type of reception (epb_flags), as in the file; nil if the file has none.
  public var flags: UInt32?

  /// A note; by default empty.
  public init(comments: [String] = [], flags: UInt32? = nil) { (self.comments, self.flags) = (comments, flags) }

  /// Whether it has no content.
  public var isEmpty: Bool { comments.isEmpty && flags == nil }
}

/// Counts of packets with notes in a capture.
public struct PacketNoteCounts: Hashable, Sendable {
  /// The number of comments.
  public var comments = 0
  /// The number of received packets.
  public var inbound = 0
  /// The number of sent packets.
  public var outbound = 0

  /// Without notes.
  public init() {}
}
