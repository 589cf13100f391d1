/// What a file says of a packet beside its frame (draft-ietf-opsawg-pcapng §4.3, options).
public struct PacketNote: Hashable, Sendable {
  /// What people and programs wrote about it (opt_comment), each by itself.
  public var comments: [String]
  /// Its direction and how it was received (epb_flags), as they stand in the file; nil where the file does not say.
  public var flags: UInt32?

  /// A note; nothing unless given.
  public init(comments: [String] = [], flags: UInt32? = nil) { (self.comments, self.flags) = (comments, flags) }

  /// Whether it says nothing.
  public var isEmpty: Bool { comments.isEmpty && flags == nil }
}

/// How many packets of a capture have notes, and which.
public struct PacketNoteCounts: Hashable, Sendable {
  /// Comments.
  public var comments = 0
  /// Packets that were received.
  public var inbound = 0
  /// Packets that were sent.
  public var outbound = 0

  /// None.
  public init() {}
}
