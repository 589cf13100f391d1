/// How a phone can be wrong.
enum PhoneFault: String, CaseIterable, Sendable {
  /// Plays what it receives, out of range or not.
  case noClamp = "no-clamp"
  /// More than 1 is not clamped; the rest is right.
  case noClampHigh = "no-clamp-high"
  /// Less than 0 is played as its magnitude.
  case noClampLow = "no-clamp-low"
  /// A little less than 0 is played as its magnitude; the rest is right.
  case smallNegative = "small-negative"
  /// Clamps with `max(0, min(1, x))`, which makes NaN 1.0.
  case nanIsOne = "nan-is-one"
  /// Knows NaN by the one of its forms that most processors make, and plays the others as 1.0.
  case oneNaN = "one-nan"
  /// Plays the values one by one, each for 60 ms, however fast they come.
  case queued
  /// Plays the first value for ever.
  case firstValueWins = "first-value-wins"
  /// Intensity 0 is taken for no message.
  case ignoresZero = "ignores-zero"
  /// Plays before the host said OK.
  case playsBeforeAck = "plays-before-ack"
  /// A channel that is not 0 is dropped.
  case dropsChannels = "drops-channels"
  /// Over TCP a BYE ends its session whatever session_id it holds.
  case anyBye = "any-bye"
  /// Over TCP no BYE ends its session.
  case ignoresBye = "ignores-bye"
  /// Goes on vibrating when its session is lost.
  case keepsVibrating = "keeps-vibrating"
  /// Sends HELLO until it has its first pose to send.
  case stopsHello = "stops-hello"
  /// Sends HELLO every other second.
  case slowHello = "slow-hello"
  /// Never notices that the host is gone.
  case neverTimesOut = "never-times-out"
  /// Takes every intensity for a medium impact.
  case oneImpact = "one-impact"
  /// Takes any magic.
  case magicUnchecked = "magic-unchecked"
  /// Takes any version.
  case versionUnchecked = "version-unchecked"
  /// Takes an unknown type for HAPTIC.
  case typeUnchecked = "type-unchecked"
  /// Reads a short message as if zeros followed.
  case lengthUnchecked = "length-unchecked"
  /// Reads intensity from the end of what came.
  case readsTrailing = "reads-trailing"
  /// Plays at half strength when the reserved byte is not 0.
  case obeysReserved = "obeys-reserved"
  /// Stops for good at a message shorter than its header.
  case crashesOnShort = "crashes-on-short"
  /// Takes each read from a TCP stream for one frame.
  case readIsFrame = "read-is-frame"
  /// Each HELLO has another session_id.
  case newIdentity = "new-identity"
  /// HELLO's reserved bytes are not 0.
  case reservedInHello = "reserved-in-hello"
  /// seq counts by two.
  case seqByTwo = "seq-by-two"
  /// timestamp_us holds milliseconds.
  case milliseconds
  /// A pose in 50 holds NaN.
  case sendsNaN = "sends-nan"
  /// Each pose goes twice.
  case posesTwice = "poses-twice"
  /// Every ACK is taken for OK.
  case refusalIsOK = "refusal-is-ok"
  /// Takes its tenth answer for OK.
  case tenthIsOK = "tenth-is-ok"
  /// A new session goes on with what the old one played.
  case playsOldAgain = "plays-old-again"
  /// Asks for each session by the id of the first.
  case sameSessionAgain = "same-session-again"
  /// Leaves without BYE.
  case noBye = "no-bye"
  /// The first pose of each session goes twice.
  case firstPoseSentTwice = "first-pose-sent-twice"
  /// HELLO goes twice where it opens a session, first with another session_id.
  case twoHellos = "two-hellos"
  /// Takes every ACK for the beginning of its session: it says so, and counts its poses from 0 again.
  case beginsAgain = "begins-again"
  /// Plays the first 1,000 forces.
  case thousandForces = "thousand-forces"
  /// Writes its code in small letters over Bluetooth.
  case smallCode = "small-code"
}

/// How a host can be wrong.
enum HostFault: String, CaseIterable, Sendable {
  /// Answers each client's first HELLO only.
  case acksOnce = "acks-once"
  /// A second client gets no answer.
  case neverBusy = "never-busy"
  /// A second client takes the session over.
  case takenOver = "taken-over"
  /// Every code opens a session.
  case anyCode = "any-code"
  /// A wrong code gets no answer.
  case silentOnBadCode = "silent-on-bad-code"
  /// Keepalives are known by their address alone.
  case identityUnchecked = "identity-unchecked"
  /// A HELLO of another version opens a session.
  case anyHelloVersion = "any-hello-version"
  /// A silent client keeps its session for ever.
  case neverTimesOut = "never-times-out"
  /// A session ends after 1 s of silence.
  case timesOutEarly = "times-out-early"
  /// Only HELLO keeps a session, and only for 1.5 s.
  case helloKeepsAlive = "hello-keeps-alive"
  /// BYE of any session closes this one.
  case anyBye = "any-bye"
  /// BYE is not understood.
  case ignoresBye = "ignores-bye"
  /// Takes any magic.
  case magicUnchecked = "magic-unchecked"
  /// Takes any version of what is no HELLO.
  case versionUnchecked = "version-unchecked"
  /// Takes an unknown type for POSE.
  case typeUnchecked = "type-unchecked"
  /// Reads a short message as if zeros followed.
  case lengthUnchecked = "length-unchecked"
  /// Reads a pose from the end of what came.
  case readsTrailing = "reads-trailing"
  /// Moves the pose when a reserved bit is set.
  case obeysReserved = "obeys-reserved"
  /// Crashes on a message that is shorter than its header.
  case crashesOnShort = "crashes-on-short"
  /// Poses of anybody are applied.
  case anySender = "any-sender"
  /// Poses are applied in the order in which they come.
  case orderOfArrival = "order-of-arrival"
  /// 0 after 65535 is taken for old.
  case wrapIsOld = "wrap-is-old"
  /// A pose that comes twice is applied twice.
  case appliesDuplicates = "applies-duplicates"
  /// The first pose of a session wins.
  case firstValueWins = "first-value-wins"
  /// Poses of NaN and ∞ are applied.
  case appliesNotFinite = "applies-not-finite"
  /// Of a pose whose quaternion is not a unit, the position is applied.
  case appliesHalf = "applies-half"
  /// Unknown commands are obeyed.
  case obeysUnknownCommands = "obeys-unknown-commands"
  /// A command that comes twice is applied twice.
  case togglesCommands = "toggles-commands"
  /// Sends HAPTIC up to 3.
  case sendsTooMuch = "sends-too-much"
  /// Sends HAPTIC with a reserved byte of 1.
  case sendsReserved = "sends-reserved"
  /// Takes each read from a TCP stream for one frame.
  case readIsFrame = "read-is-frame"
  /// Goes on reading after a bad length.
  case ignoresBadLength = "ignores-bad-length"
  /// Every POSE is acknowledged too.
  case acksPoses = "acks-poses"
  /// The reserved byte of an ACK is not 0.
  case reservedInAck = "reserved-in-ack"
  /// Sends its values to every client that it refused, too.
  case sendsToRefused = "sends-to-refused"
  /// Sends each value twice.
  case sendsTwice = "sends-twice"
  /// A connection may be silent for ever.
  case waitsForHello = "waits-for-hello"
  /// A pose half the range away is newer.
  case halfIsNewer = "half-is-newer"
  /// Every other HEARTBEAT is not sent.
  case slowHeartbeat = "slow-heartbeat"
  /// The connection of whom it refused stays open.
  case keepsRefused = "keeps-refused"
  /// The connection of whom it refused for its version stays open.
  case keepsOtherVersion = "keeps-other-version"
  /// From the 150th on its forces are NaN.
  case nanLater = "nan-later"
  /// From its third session on it sends each value twice.
  case fasterLater = "faster-later"
  /// The first pose of a session is applied again when it comes again.
  case firstPoseTwice = "first-pose-twice"
  /// The first HELLO behind a session's first pose, which keeps it, makes its poses begin afresh.
  case secondHelloBeginsAgain = "second-hello-begins-again"
  /// A BYE of any session that there was closes this one.
  case oldBye = "old-bye"
  /// A HELLO with a wrong code keeps the session of another.
  case wrongCodeKeepsAlive = "wrong-code-keeps-alive"
  /// Poses of NaN and ∞ are applied before the first of a session.
  case notFiniteFirst = "not-finite-first"
  /// Knows NaN by the one of its forms that most processors make.
  case oneNaN = "one-nan"
  /// Tells its clients apart by their ports alone.
  case portsAlone = "ports-alone"
  /// Applies the first 1,000 poses of a session.
  case thousandPoses = "thousand-poses"
  /// HEARTBEAT does not count.
  case stillCounter = "still-counter"
}
