/// How a mouse can be wrong.
enum MouseFault: String, CaseIterable, Sendable {
  /// Keeps the low byte of a delta: 128 becomes −128, 300 becomes 44.
  case wraps
  /// Clamps to −128…127.
  case sendsMinus128 = "sends-minus-128"
  /// A large movement is clamped to one packet, and the rest is lost.
  case clampsOnly = "clamps-only"
  /// What is left of a large movement goes the other way.
  case remainderReversed = "remainder-reversed"
  /// Buttons go in the first packet only.
  case buttonsOnce = "buttons-once"
  /// Scroll goes in every packet.
  case scrollInEvery = "scroll-in-every"
  /// A movement before both connections are up is dropped without a word.
  case silentDrop = "silent-drop"
  /// NaN is taken for 0.
  case nanIsZero = "nan-is-zero"
  /// Traps on NaN.
  case crashesOnNaN = "crashes-on-nan"
  /// Clamps a movement that no int16 holds without a word.
  case clampsSilently = "clamps-silently"
  /// Reserved bits are set.
  case reservedSet = "reserved-set"
  /// A click carries the buttons that were down before it.
  case buttonsLate = "buttons-late"
  /// A click goes under the header of a movement with a sixth byte.
  case sixBytes = "six-bytes"
  /// HID reports are big-endian.
  case bigEndian = "big-endian"
}

/// How a mouse host can be wrong.
enum MouseHostFault: String, CaseIterable, Sendable {
  /// A button that was pressed stays down.
  case stickyButtons = "sticky-buttons"
  /// Reserved bits count as buttons.
  case reservedCounts = "reserved-counts"
  /// What comes over TCP is read and not obeyed.
  case ignoresControl = "ignores-control"
  /// The same packet twice moves once.
  case duplicatesDropped = "duplicates-dropped"
  /// The pointer leaves the screen.
  case leavesScreen = "leaves-screen"
  /// The pointer stops at the edge, and movement beyond it is remembered.
  case remembersBeyond = "remembers-beyond"
  /// Any header is a movement.
  case headerUnchecked = "header-unchecked"
  /// Any length of at least three bytes will do.
  case lengthUnchecked = "length-unchecked"
  /// A datagram of a wrong header or length lets all buttons go.
  case invalidReleases = "invalid-releases"
  /// The scroll of a datagram is counted before its header and length are looked at.
  case invalidScrolls = "invalid-scrolls"
  /// Movements of 127 counts either way are lost.
  case losesLargest = "loses-largest"
  /// There is no lower edge.
  case noLowerEdge = "no-lower-edge"
  /// Scroll is not counted.
  case ignoresScroll = "ignores-scroll"
  /// Scroll moves the pointer as well.
  case scrollMoves = "scroll-moves"
  /// A byte that begins no packet ends a stream for good.
  case neverResyncs = "never-resyncs"
  /// A byte that begins no packet is taken for five.
  case resyncsByFive = "resyncs-by-five"
  /// Each read from a TCP stream is taken for one packet.
  case readIsPacket = "read-is-packet"
  /// While a TCP connection is open over which nothing came yet, buttons that come over UDP are lost.
  case waitsForControl = "waits-for-control"
  /// The first movement over UDP behind the opening of a TCP connection over which nothing came yet is where it begins, and moves
  /// nothing.
  case firstMovementIsOrigin = "first-movement-is-origin"
  /// Every 256th packet is lost.
  case oneIn256 = "one-in-256"
  /// Reads the first 1,000 packets.
  case thousandPackets = "thousand-packets"
  /// The end of a TCP connection over which nothing came lets all buttons go.
  case releasesOnEmptyClose = "releases-on-empty-close"
}
