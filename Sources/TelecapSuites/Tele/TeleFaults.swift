/// The faults of a phone.
enum PhoneFault: String, CaseIterable, Sendable {
  /// Plays values without clamping.
  case noClamp = "no-clamp"
  /// Does not clamp values above 1.
  case noClampHigh = "no-clamp-high"
  /// Plays the magnitude of a negative value.
  case noClampLow = "no-clamp-low"
  /// Plays the magnitude of a slightly negative value.
  case smallNegative = "small-negative"
  /// Clamps with `max(0, min(1, x))`, which makes NaN 1.0.
  case nanIsOne = "nan-is-one"
  /// Recognises only the NaN of most processors, and plays others as 1.0.
  case oneNaN = "one-nan"
  /// Plays the values one by one, each for 60 ms, at any rate of arrival.
  case queued
  /// Plays the first value forever.
  case firstValueWins = "first-value-wins"
  /// Ignores an intensity of 0.
  case ignoresZero = "ignores-zero"
  /// Plays before the host has sent OK.
  case playsBeforeAck = "plays-before-ack"
  /// Drops a message whose channel is not 0.
  case dropsChannels = "drops-channels"
  /// Over TCP a BYE with any session_id ends its session.
  case anyBye = "any-bye"
  /// Over TCP no BYE ends its session.
  case ignoresBye = "ignores-bye"
  /// Keeps vibrating after its session is lost.
  case keepsVibrating = "keeps-vibrating"
  /// Stops HELLO with its first pose.
  case stopsHello = "stops-hello"
  /// Sends HELLO every two seconds.
  case slowHello = "slow-hello"
  /// Never notices the loss of the host.
  case neverTimesOut = "never-times-out"
  /// Plays every intensity as a medium impact.
  case oneImpact = "one-impact"
  /// Accepts any magic.
  case magicUnchecked = "magic-unchecked"
  /// Accepts any version.
  case versionUnchecked = "version-unchecked"
  /// Reads an unknown type as HAPTIC.
  case typeUnchecked = "type-unchecked"
  /// Reads a short message as if followed by zeros.
  case lengthUnchecked = "length-unchecked"
  /// Reads the intensity from the end of the message.
  case readsTrailing = "reads-trailing"
  /// Plays at half strength when the reserved byte is not 0.
  case obeysReserved = "obeys-reserved"
  /// Stops forever at a message shorter than its header.
  case crashesOnShort = "crashes-on-short"
  /// Parses each read from a TCP stream as one frame.
  case readIsFrame = "read-is-frame"
  /// Each HELLO has another session_id.
  case newIdentity = "new-identity"
  /// HELLO's reserved bytes are not 0.
  case reservedInHello = "reserved-in-hello"
  /// seq counts by two.
  case seqByTwo = "seq-by-two"
  /// timestamp_us is in milliseconds.
  case milliseconds
  /// One pose in 50 contains NaN.
  case sendsNaN = "sends-nan"
  /// Sends each pose twice.
  case posesTwice = "poses-twice"
  /// Takes every ACK for OK.
  case refusalIsOK = "refusal-is-ok"
  /// Takes its tenth answer for OK.
  case tenthIsOK = "tenth-is-ok"
  /// A new session continues the output of the old one.
  case playsOldAgain = "plays-old-again"
  /// Requests each session with the id of the first.
  case sameSessionAgain = "same-session-again"
  /// Leaves without BYE.
  case noBye = "no-bye"
  /// Sends the first pose of each session twice.
  case firstPoseSentTwice = "first-pose-sent-twice"
  /// Sends HELLO twice to open a session, first with another session_id.
  case twoHellos = "two-hellos"
  /// Takes every ACK for the start of its session: it reports one, and restarts seq at 0.
  case beginsAgain = "begins-again"
  /// Plays only the first 1,000 forces.
  case thousandForces = "thousand-forces"
  /// Sends its code in lower case over Bluetooth.
  case smallCode = "small-code"
}

/// The faults of a host.
enum HostFault: String, CaseIterable, Sendable {
  /// Answers only each client's first HELLO.
  case acksOnce = "acks-once"
  /// A second client gets no answer.
  case neverBusy = "never-busy"
  /// A second client takes the session over.
  case takenOver = "taken-over"
  /// Every code opens a session.
  case anyCode = "any-code"
  /// A wrong code gets no answer.
  case silentOnBadCode = "silent-on-bad-code"
  /// Identifies keepalives by their address only.
  case identityUnchecked = "identity-unchecked"
  /// A HELLO of another version opens a session.
  case anyHelloVersion = "any-hello-version"
  /// A silent client keeps its session forever.
  case neverTimesOut = "never-times-out"
  /// A session ends after 1 s of silence.
  case timesOutEarly = "times-out-early"
  /// Only HELLO keeps a session alive, and only for 1.5 s.
  case helloKeepsAlive = "hello-keeps-alive"
  /// BYE of any session closes this one.
  case anyBye = "any-bye"
  /// BYE is ignored.
  case ignoresBye = "ignores-bye"
  /// Accepts any magic.
  case magicUnchecked = "magic-unchecked"
  /// Accepts any version, except in HELLO.
  case versionUnchecked = "version-unchecked"
  /// Reads an unknown type as POSE.
  case typeUnchecked = "type-unchecked"
  /// Reads a short message as if followed by zeros.
  case lengthUnchecked = "length-unchecked"
  /// Reads a pose from the end of the message.
  case readsTrailing = "reads-trailing"
  /// Moves the pose when a reserved bit is set.
  case obeysReserved = "obeys-reserved"
  /// Crashes on a message that is shorter than its header.
  case crashesOnShort = "crashes-on-short"
  /// Poses of any peer are applied.
  case anySender = "any-sender"
  /// Poses are applied in order of arrival.
  case orderOfArrival = "order-of-arrival"
  /// 0 after 65535 is taken for stale.
  case wrapIsOld = "wrap-is-old"
  /// A duplicate pose is applied twice.
  case appliesDuplicates = "applies-duplicates"
  /// The first pose of a session wins.
  case firstValueWins = "first-value-wins"
  /// Poses with NaN and infinity are applied.
  case appliesNotFinite = "applies-not-finite"
  /// The position of a pose without a unit quaternion is applied.
  case appliesHalf = "applies-half"
  /// Unknown commands are applied.
  case obeysUnknownCommands = "obeys-unknown-commands"
  /// A duplicate command is applied twice.
  case togglesCommands = "toggles-commands"
  /// Sends HAPTIC up to 3.
  case sendsTooMuch = "sends-too-much"
  /// Sends HAPTIC with a reserved byte of 1.
  case sendsReserved = "sends-reserved"
  /// Parses each read from a TCP stream as one frame.
  case readIsFrame = "read-is-frame"
  /// Keeps reading after a bad length.
  case ignoresBadLength = "ignores-bad-length"
  /// POSE is acknowledged too.
  case acksPoses = "acks-poses"
  /// The reserved byte of an ACK is not 0.
  case reservedInAck = "reserved-in-ack"
  /// Sends its values to rejected clients too.
  case sendsToRefused = "sends-to-refused"
  /// Sends each value twice.
  case sendsTwice = "sends-twice"
  /// A connection may be silent forever.
  case waitsForHello = "waits-for-hello"
  /// A pose at half the range is taken for newer.
  case halfIsNewer = "half-is-newer"
  /// Every second HEARTBEAT is missing.
  case slowHeartbeat = "slow-heartbeat"
  /// The connection of a rejected client stays open.
  case keepsRefused = "keeps-refused"
  /// The connection of a client that was rejected for its version stays open.
  case keepsOtherVersion = "keeps-other-version"
  /// From the 150th force on it sends NaN.
  case nanLater = "nan-later"
  /// From its third session on it sends each value twice.
  case fasterLater = "faster-later"
  /// A duplicate of a session's first pose is applied.
  case firstPoseTwice = "first-pose-twice"
  /// The first HELLO after a session's first pose, a keepalive, restarts the order of its poses.
  case secondHelloBeginsAgain = "second-hello-begins-again"
  /// A BYE of any earlier session closes this one.
  case oldBye = "old-bye"
  /// A HELLO with a wrong code keeps the session of another client alive.
  case wrongCodeKeepsAlive = "wrong-code-keeps-alive"
  /// Poses with NaN and infinity are applied before the first of a session.
  case notFiniteFirst = "not-finite-first"
  /// Recognises only the NaN of most processors.
  case oneNaN = "one-nan"
  /// Identifies clients only by their ports.
  case portsAlone = "ports-alone"
  /// Applies only the first 1,000 poses of a session.
  case thousandPoses = "thousand-poses"
  /// The counter of HEARTBEAT does not change.
  case stillCounter = "still-counter"
}
