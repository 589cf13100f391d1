/// Which requirements a mutant breaks, where that follows from its name alone.
enum PlaceRequirements {
  /// One of which must catch the mutant of this name; none where that does not follow.
  static func of(_ name: String) -> [String] {
    rows.first { $0.pattern.matches(name) }?.requirements ?? []
  }

  /// The first row that a name matches holds.
  static let rows: [(pattern: Glob, requirements: [String])] = [
    ("phone/ble/in/header.*/any-of-HEARTBEAT", ["tele.session.safe-on-loss"]),
    ("phone/ble/in/HEARTBEAT.type/*", ["tele.session.safe-on-loss", "tele.header.type"]),
    ("phone/ble/haptic/outside-session", ["tele.session.safe-on-loss", "tele.phone.reopens"]),
    ("host/*/in/header.magic/*", ["tele.header.magic", "tele.tcp.bad-length"]),
    ("phone/*/in/header.magic/*", ["tele.header.magic"]),
    ("host/*/in/header.version/*", ["tele.header.version", "tele.hello.version"]),
    ("phone/*/in/header.version/*", ["tele.header.version"]),
    ("host/*/in/*.type/*", ["tele.header.type", "tele.robust.mutations"]),
    ("phone/*/in/*.type/*", ["tele.header.type", "tele.robust.mutations"]),
    ("host/*/in/*.length/read-from-end", ["tele.header.trailing"]),
    ("host/*/in/*.length/last-fields-from-end", ["tele.header.trailing"]),
    ("phone/*/in/*.length/read-from-end", ["tele.header.trailing"]),
    ("phone/*/in/*.length/last-fields-from-end", ["tele.header.trailing"]),
    ("host/*/in/*.length/crash-on-long", ["tele.header.trailing", "tele.robust.mutations"]),
    ("phone/*/in/*.length/crash-on-long", ["tele.header.trailing", "tele.robust.mutations"]),
    ("host/*/in/*.length/*", ["tele.header.truncated", "tele.robust.mutations"]),
    ("phone/*/in/*.length/*", ["tele.header.truncated", "tele.robust.mutations"]),
    ("phone/*/in/HAPTIC.channel/*", ["tele.haptic.channel-ignored", "tele.robust.mutations"]),
    ("host/*/in/*.reserved*/*", ["tele.reserved.nonzero", "tele.robust.mutations"]),
    ("host/*/in/POSE.flags/must-be-0", ["tele.reserved.nonzero", "tele.robust.mutations"]),
    ("phone/*/in/*.reserved*/*", ["tele.reserved.nonzero", "tele.robust.mutations"]),
    ("host/*/in/HELLO.code/*", ["tele.hello.bad-code"]),
    ("host/*/in/*/*-is-0", ["tele.pose.non-finite"]),
    ("host/*/in/*/crash-on-*", ["tele.pose.non-finite", "tele.robust.mutations", "tele.reserved.nonzero"]),
    ("host/*/in/POSE.quaternion/*", ["tele.pose.quaternion"]),
    ("host/*/in/*/any-sender", ["tele.sender.inactive", "tele.bye.wrong-session", "tele.hello.busy"]),
    ("host/*/shown/POSE.seq/newer-or-same", ["tele.pose.duplicate"]),
    ("host/*/shown/POSE.seq/greater-or-same", ["tele.pose.duplicate", "tele.pose.latest-value-wins"]),
    ("host/*/shown/POSE.seq/not-finite-counts", ["tele.pose.non-finite"]),
    ("host/*/shown/POSE.seq/*", ["tele.pose.latest-value-wins", "tele.pose.duplicate"]),
    ("host/*/shown/pose.*/nan-applied", ["tele.pose.non-finite"]),
    ("host/*/shown/pose.*/infinity-applied", ["tele.pose.non-finite"]),
    ("host/*/shown/command/unknown-obeyed", ["tele.cmd.unknown"]),
    ("host/*/shown/command/duplicate-applied", ["tele.cmd.duplicate"]),
    ("host/udp/timer/session/*", ["tele.session.timeout", "tele.session.survives-loss"]),
    ("host/*/out/HAPTIC.*", ["tele.haptic.sender-range"]),
    (
      "host/*/out/ACK.*",
      [
        "tele.hello.ack-form", "tele.hello.ack-every", "tele.hello.busy", "tele.hello.bad-code", "tele.hello.version",
      ]
    ),
    ("host/ble/out/HEARTBEAT*", ["tele.session.heartbeat"]),
    ("host/ble/timer/heartbeat/*", ["tele.session.heartbeat"]),
    ("host/ble/in/AUTH.code/*", ["tele.sender.inactive"]),
    ("phone/ble/out/AUTH.code/*", ["tele.phone.auth"]),
    (
      "phone/ble/timer/session/*",
      ["tele.session.safe-on-loss", "tele.haptic.latest-value-wins", "tele.session.phone-timeout"]
    ),
    ("host/*/timer/haptic-rate/*", ["tele.haptic.sender-rate"]),
    ("host/tcp/timer/hello/*", ["tele.tcp.hello-timeout"]),
    ("phone/*/out/HELLO/same-session-again", ["tele.phone.reopens"]),
    ("phone/*/out/HELLO.*", ["tele.phone.hello-form"]),
    ("phone/*/out/POSE.seq/*", ["tele.phone.pose-seq"]),
    ("phone/*/out/POSE.timestamp_us/*", ["tele.phone.pose-timestamp"]),
    ("phone/*/out/POSE.*", ["tele.phone.pose-values"]),
    ("phone/*/out/BYE*", ["tele.phone.bye"]),
    ("phone/*/shown/strength/nan-*", ["tele.haptic.not-a-number"]),
    (
      "phone/*/shown/strength/*infinity-*",
      [
        "tele.haptic.not-a-number", "tele.haptic.clamp-high", "tele.haptic.clamp-low",
      ]
    ),
    ("phone/*/shown/strength/upper-bound-*", ["tele.haptic.clamp-high"]),
    ("phone/*/shown/strength/lower-bound-*", ["tele.haptic.clamp-low"]),
    ("phone/*/shown/strength/zero-not-played", ["tele.haptic.zero-stops", "tele.haptic.latest-value-wins"]),
    ("phone/*/shown/strength/queued", ["tele.haptic.no-queue", "tele.haptic.latest-value-wins"]),
    ("phone/*/shown/impact/*", ["tele.haptic.impact-mapping"]),
    ("phone/*/shown/session/motor-*", ["tele.session.safe-on-loss"]),
    ("phone/*/haptic/outside-session", ["tele.haptic.needs-session"]),
    ("phone/udp/timer/hello/*", ["tele.session.rate"]),
    ("phone/udp/timer/session/*", ["tele.session.phone-timeout", "tele.session.safe-on-loss"]),
    ("*/tcp/in/stream/length-*", ["tele.tcp.framing", "tele.tcp.bad-length"]),
    ("mouse-host/tcp/in/stream/*", ["mouse.control.stream"]),
    ("mouse-host/*/in/*.type/*", ["mouse.header.unknown", "mouse.control.stream"]),
    ("mouse-host/*/in/*.length/*", ["mouse.length.wrong", "mouse.control.stream"]),
    (
      "mouse-host/*/in/*.buttons/*",
      [
        "mouse.buttons.latest-value-wins", "mouse.buttons.control-repairs", "mouse.buttons.reserved",
        "mouse.control.stream",
      ]
    ),
    ("mouse-host/*/in/*.delta_*/*", ["mouse.pointer.sum", "mouse.pointer.screen", "mouse.control.stream"]),
    ("mouse-host/*/shown/pointer/*-edge-*", ["mouse.pointer.screen", "mouse.pointer.sum"]),
    ("mouse-host/*/shown/buttons/bit-*-counts", ["mouse.buttons.reserved"]),
    ("mouse-host/*/shown/buttons/all-bits-count", ["mouse.buttons.reserved"]),
    ("mouse/hid/out/*", ["mouse.hid.layout"]),
    ("mouse/udp/out/split/*minus-128", ["mouse.clamp.never-minus-128", "mouse.clamp.int8"]),
    ("mouse/udp/out/split/buttons-*", ["mouse.split.buttons"]),
    ("mouse/udp/out/split/*", ["mouse.split.sum", "mouse.split.buttons", "mouse.clamp.int8"]),
    ("mouse/udp/asked/not-connected/*", ["mouse.sender.not-connected"]),
    ("mouse/udp/asked/move/nan-crashes", ["mouse.sender.not-a-number"]),
    ("mouse/udp/asked/move/*-nan-is-0", ["mouse.sender.not-a-number"]),
  ].map { (Glob($0.0), $0.1) }
}
