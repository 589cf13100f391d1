/// The faults of a mouse.
enum MouseFault: String, CaseIterable, Sendable {
  /// Keeps the low byte of a delta: 128 becomes −128, 300 becomes 44.
  case wraps
  /// Clamps to −128…127.
  case sendsMinus128 = "sends-minus-128"
  /// Clamps a large movement to one packet, and drops the rest.
  case clampsOnly = "clamps-only"
  /// The rest of a large movement has the opposite direction.
  case remainderReversed = "remainder-reversed"
  /// Only the first packet has the buttons.
  case buttonsOnce = "buttons-once"
  /// Every packet has the scroll.
  case scrollInEvery = "scroll-in-every"
  /// Silently drops a movement before both connections are up.
  case silentDrop = "silent-drop"
  /// NaN is read as 0.
  case nanIsZero = "nan-is-zero"
  /// Traps on NaN.
  case crashesOnNaN = "crashes-on-nan"
  /// Silently clamps a movement that exceeds an int16.
  case clampsSilently = "clamps-silently"
  /// Reserved bits are set.
  case reservedSet = "reserved-set"
  /// A click has the buttons from before it.
  case buttonsLate = "buttons-late"
  /// A click has the header of a movement and a sixth byte.
  case sixBytes = "six-bytes"
  /// HID reports are big-endian.
  case bigEndian = "big-endian"
}

/// The faults of a mouse host.
enum MouseHostFault: String, CaseIterable, Sendable {
  /// A pressed button stays down.
  case stickyButtons = "sticky-buttons"
  /// Reserved bits count as buttons.
  case reservedCounts = "reserved-counts"
  /// Packets over TCP are read and ignored.
  case ignoresControl = "ignores-control"
  /// Duplicates are dropped.
  case duplicatesDropped = "duplicates-dropped"
  /// The pointer leaves the screen.
  case leavesScreen = "leaves-screen"
  /// The pointer stops at the edge, and movement beyond it is remembered.
  case remembersBeyond = "remembers-beyond"
  /// Any header is a movement.
  case headerUnchecked = "header-unchecked"
  /// Any length of at least three bytes will do.
  case lengthUnchecked = "length-unchecked"
  /// A datagram with a wrong header or length releases all buttons.
  case invalidReleases = "invalid-releases"
  /// The scroll of a datagram counts before the checks of its header and length.
  case invalidScrolls = "invalid-scrolls"
  /// Movements of 127 counts in either direction are ignored.
  case losesLargest = "loses-largest"
  /// There is no lower edge.
  case noLowerEdge = "no-lower-edge"
  /// Scroll is not counted.
  case ignoresScroll = "ignores-scroll"
  /// Scroll moves the pointer too.
  case scrollMoves = "scroll-moves"
  /// After a byte that begins no packet, the byte stream is no longer read.
  case neverResyncs = "never-resyncs"
  /// A byte that begins no packet is skipped with the four after it.
  case resyncsByFive = "resyncs-by-five"
  /// Each read from a TCP stream is parsed as one packet.
  case readIsPacket = "read-is-packet"
  /// Buttons over UDP are ignored while a TCP connection without data is open.
  case waitsForControl = "waits-for-control"
  /// The first movement over UDP after a TCP connection without data was opened sets the origin, and moves nothing.
  case firstMovementIsOrigin = "first-movement-is-origin"
  /// Every 256th packet is ignored.
  case oneIn256 = "one-in-256"
  /// Reads only the first 1,000 packets.
  case thousandPackets = "thousand-packets"
  /// The end of a TCP connection without data releases all buttons.
  case releasesOnEmptyClose = "releases-on-empty-close"
}
