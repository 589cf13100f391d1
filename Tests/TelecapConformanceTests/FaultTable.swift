import TelecapConformance
import TelecapMouse
import TelecapTele

/// The table: a wrong system, and the requirements that catch it. Some ways to be wrong break what other requirements are
/// about too: a host that lets a second client take over forgets the first one's session, wherever that is looked at.
enum FaultTable {
  static func rows(of part: Part) -> [String: Set<String>] {
    all[part.name] ?? [:]
  }

  static let all = [
    "phone": phone, "host": host, "mouse": mouse, "mouse-host": mouseHost, "ahap": ahap, "haptics": haptics,
    "touch": touch, "audio": audio, "senses": senses,
  ]

  static let phone: [String: Set<String>] = [
    "no-clamp": [
      "tele.haptic.clamp-high", "tele.haptic.clamp-low", "tele.haptic.latest-value-wins", "tele.haptic.not-a-number",
      "tele.phone.reopens", "tele.session.safe-on-loss",
    ],
    "no-clamp-high": [
      "tele.haptic.clamp-high", "tele.haptic.latest-value-wins", "tele.haptic.not-a-number", "tele.phone.reopens",
      "tele.session.safe-on-loss",
    ],
    "no-clamp-low": [
      "tele.haptic.clamp-low", "tele.haptic.latest-value-wins", "tele.haptic.not-a-number", "tele.phone.reopens",
    ],
    "any-bye": ["tele.bye.wrong-session"],
    "ignores-bye": ["tele.bye.closes"],
    "small-negative": ["tele.haptic.clamp-low", "tele.phone.reopens"],
    "one-nan": ["tele.haptic.not-a-number"],
    "thousand-forces": ["tele.haptic.latest-value-wins", "tele.robust.mutations"],
    "nan-is-one": ["tele.haptic.not-a-number", "tele.phone.reopens", "tele.session.safe-on-loss"],
    "queued": [
      "tele.haptic.clamp-high", "tele.haptic.clamp-low", "tele.haptic.latest-value-wins", "tele.haptic.no-queue",
      "tele.robust.mutations",
    ],
    "first-value-wins": [
      "tele.bye.closes", "tele.bye.wrong-session", "tele.haptic.channel-ignored", "tele.haptic.clamp-high",
      "tele.haptic.clamp-low",
      "tele.haptic.latest-value-wins", "tele.haptic.needs-session", "tele.haptic.not-a-number",
      "tele.haptic.zero-stops", "tele.header.magic", "tele.header.trailing", "tele.header.truncated",
      "tele.header.type", "tele.header.version", "tele.phone.refused", "tele.phone.reopens", "tele.robust.mutations",
      "tele.session.safe-on-loss", "tele.tcp.bad-length", "tele.tcp.framing",
    ],
    "ignores-zero": [
      "tele.haptic.clamp-low", "tele.haptic.latest-value-wins", "tele.haptic.zero-stops", "tele.phone.reopens",
      "tele.robust.mutations", "tele.session.safe-on-loss",
    ],
    "plays-before-ack": [
      "tele.haptic.needs-session", "tele.header.trailing", "tele.phone.refused", "tele.phone.reopens",
      "tele.session.safe-on-loss",
    ],
    "drops-channels": ["tele.haptic.channel-ignored", "tele.robust.mutations"],
    "keeps-vibrating": [
      "tele.bye.closes", "tele.haptic.needs-session", "tele.header.truncated", "tele.phone.refused",
      "tele.phone.reopens", "tele.session.safe-on-loss", "tele.tcp.bad-length",
    ],
    "stops-hello": ["tele.haptic.impact-mapping", "tele.phone.bye", "tele.phone.reopens", "tele.session.rate"],
    "slow-hello": ["tele.haptic.impact-mapping", "tele.phone.bye", "tele.phone.reopens", "tele.session.rate"],
    "never-times-out": [
      "tele.haptic.impact-mapping", "tele.header.truncated", "tele.phone.refused", "tele.phone.reopens",
      "tele.session.phone-timeout", "tele.session.safe-on-loss",
    ],
    "one-impact": ["tele.haptic.impact-mapping"],
    "magic-unchecked": [
      "tele.haptic.needs-session", "tele.header.magic", "tele.session.safe-on-loss", "tele.tcp.bad-length",
    ],
    "version-unchecked": ["tele.haptic.needs-session", "tele.header.version", "tele.session.safe-on-loss"],
    "type-unchecked": [
      "tele.haptic.latest-value-wins", "tele.header.type", "tele.robust.mutations", "tele.session.safe-on-loss",
    ],
    "length-unchecked": ["tele.haptic.latest-value-wins", "tele.header.truncated"],
    "reads-trailing": ["tele.haptic.latest-value-wins", "tele.header.trailing", "tele.robust.mutations"],
    "obeys-reserved": ["tele.reserved.nonzero", "tele.robust.mutations"],
    "crashes-on-short": [
      "tele.haptic.needs-session", "tele.header.truncated", "tele.robust.mutations", "tele.tcp.bad-length",
    ],
    "read-is-frame": ["tele.header.truncated", "tele.robust.mutations", "tele.tcp.framing"],
    "new-identity": ["tele.bye.closes", "tele.phone.bye", "tele.phone.hello-form"],
    "reserved-in-hello": ["tele.phone.hello-form"],
    "seq-by-two": ["tele.phone.pose-seq"],
    "milliseconds": ["tele.phone.pose-timestamp"],
    "sends-nan": ["tele.phone.pose-values"],
    "poses-twice": ["tele.phone.pose-rate", "tele.phone.pose-seq"],
    "refusal-is-ok": ["tele.header.trailing", "tele.phone.refused"],
    "tenth-is-ok": ["tele.phone.refused"],
    "plays-old-again": ["tele.phone.refused", "tele.phone.reopens", "tele.session.safe-on-loss"],
    "same-session-again": ["tele.phone.reopens"],
    "first-pose-sent-twice": ["tele.phone.pose-seq"],
    "two-hellos": ["tele.phone.hello-form"],
    "begins-again": ["tele.phone.pose-seq"],
    "no-bye": ["tele.phone.bye"],
    "small-code": ["tele.phone.auth"],
  ]

  static let host: [String: Set<String>] = [
    "acks-once": [
      "tele.bye.closes", "tele.bye.wrong-session", "tele.cmd.duplicate", "tele.haptic.sender-session",
      "tele.hello.ack-every", "tele.hello.bad-code", "tele.hello.busy", "tele.hello.keepalive-identity",
      "tele.pose.duplicate", "tele.pose.latest-value-wins", "tele.session.timeout", "tele.tcp.framing",
    ],
    "never-busy": [
      "tele.bye.closes", "tele.cmd.duplicate", "tele.cmd.unknown", "tele.haptic.sender-session",
      "tele.header.truncated", "tele.hello.bad-code", "tele.hello.busy", "tele.pose.latest-value-wins",
      "tele.session.timeout",
    ],
    "taken-over": [
      "tele.bye.closes", "tele.bye.wrong-session", "tele.cmd.duplicate", "tele.cmd.unknown",
      "tele.haptic.sender-session", "tele.header.truncated", "tele.hello.bad-code", "tele.hello.busy",
      "tele.hello.version", "tele.pose.latest-value-wins", "tele.sender.inactive", "tele.session.heartbeat",
      "tele.session.survives-loss", "tele.session.timeout",
    ],
    "any-code": [
      "tele.haptic.sender-session", "tele.hello.bad-code", "tele.hello.keepalive-identity", "tele.sender.inactive",
      "tele.session.heartbeat", "tele.session.timeout",
    ],
    "silent-on-bad-code": [
      "tele.bye.closes", "tele.cmd.duplicate", "tele.cmd.unknown", "tele.haptic.sender-session",
      "tele.hello.bad-code", "tele.pose.latest-value-wins",
    ],
    "identity-unchecked": ["tele.bye.wrong-session", "tele.hello.keepalive-identity"],
    "any-hello-version": [
      "tele.bye.closes", "tele.cmd.unknown", "tele.hello.version", "tele.pose.latest-value-wins",
      "tele.session.timeout",
    ],
    "never-times-out": [
      "tele.haptic.sender-session", "tele.hello.keepalive-identity", "tele.pose.latest-value-wins",
      "tele.robust.mutations", "tele.session.timeout",
    ],
    "times-out-early": [
      "tele.pose.latest-value-wins", "tele.session.heartbeat", "tele.session.timeout", "tele.tcp.framing",
      "tele.tcp.hello-timeout",
    ],
    "hello-keeps-alive": [
      "tele.pose.latest-value-wins", "tele.session.heartbeat", "tele.session.survives-loss", "tele.session.timeout",
      "tele.tcp.framing", "tele.tcp.hello-timeout",
    ],
    "any-bye": ["tele.bye.wrong-session", "tele.cmd.duplicate", "tele.cmd.unknown", "tele.pose.latest-value-wins"],
    "ignores-bye": [
      "tele.bye.closes", "tele.bye.wrong-session", "tele.cmd.duplicate", "tele.haptic.sender-session",
      "tele.header.trailing", "tele.hello.bad-code", "tele.hello.keepalive-identity", "tele.pose.duplicate",
      "tele.pose.latest-value-wins", "tele.pose.non-finite", "tele.session.timeout",
    ],
    "magic-unchecked": ["tele.header.magic", "tele.robust.mutations", "tele.session.timeout", "tele.tcp.bad-length"],
    "version-unchecked": ["tele.header.version", "tele.robust.mutations", "tele.session.timeout"],
    "type-unchecked": [
      "tele.header.type", "tele.pose.latest-value-wins", "tele.robust.mutations", "tele.session.timeout",
    ],
    "length-unchecked": [
      "tele.header.truncated", "tele.pose.latest-value-wins", "tele.robust.mutations", "tele.session.timeout",
    ],
    "reads-trailing": ["tele.header.trailing", "tele.robust.mutations"],
    "obeys-reserved": ["tele.reserved.nonzero", "tele.robust.mutations"],
    "crashes-on-short": ["tele.header.truncated", "tele.robust.mutations"],
    "any-sender": [
      "tele.hello.bad-code", "tele.hello.busy", "tele.pose.latest-value-wins", "tele.robust.mutations",
      "tele.sender.inactive", "tele.session.timeout", "tele.tcp.hello-timeout",
    ],
    "order-of-arrival": [
      "tele.bye.wrong-session", "tele.hello.ack-every", "tele.hello.bad-code", "tele.hello.keepalive-identity",
      "tele.hello.version", "tele.pose.half-range", "tele.pose.latest-value-wins", "tele.pose.non-finite",
      "tele.robust.mutations",
    ],
    "wrap-is-old": ["tele.pose.duplicate", "tele.pose.latest-value-wins", "tele.robust.mutations"],
    "applies-duplicates": [
      "tele.hello.ack-every", "tele.hello.busy", "tele.pose.duplicate", "tele.pose.latest-value-wins",
      "tele.pose.non-finite",
    ],
    "first-value-wins": [
      "tele.bye.closes", "tele.bye.wrong-session", "tele.header.magic", "tele.header.trailing", "tele.header.truncated",
      "tele.header.type", "tele.header.version", "tele.hello.ack-every", "tele.hello.bad-code", "tele.hello.busy",
      "tele.hello.keepalive-identity", "tele.hello.version", "tele.pose.duplicate", "tele.pose.half-range",
      "tele.pose.latest-value-wins", "tele.pose.non-finite", "tele.reserved.nonzero", "tele.robust.mutations",
      "tele.sender.inactive", "tele.session.timeout", "tele.tcp.framing",
    ],
    "applies-not-finite": ["tele.pose.latest-value-wins", "tele.pose.non-finite"],
    "applies-half": ["tele.pose.quaternion", "tele.robust.mutations"],
    "obeys-unknown-commands": ["tele.cmd.duplicate", "tele.cmd.unknown", "tele.header.trailing"],
    "toggles-commands": ["tele.cmd.duplicate", "tele.header.trailing"],
    "sends-too-much": ["tele.haptic.sender-range"],
    "sends-reserved": ["tele.haptic.sender-range"],
    "read-is-frame": ["tele.header.truncated", "tele.tcp.bad-length", "tele.tcp.framing"],
    "ignores-bad-length": ["tele.tcp.bad-length"],
    "acks-poses": [
      "tele.bye.wrong-session", "tele.hello.ack-form", "tele.hello.bad-code", "tele.hello.busy",
      "tele.hello.keepalive-identity",
      "tele.hello.version", "tele.session.heartbeat", "tele.session.timeout",
    ],
    "reserved-in-ack": ["tele.hello.ack-form"],
    "sends-to-refused": [
      "tele.bye.closes", "tele.bye.wrong-session", "tele.cmd.duplicate", "tele.haptic.sender-session",
      "tele.header.magic", "tele.hello.bad-code", "tele.hello.busy", "tele.hello.version", "tele.pose.duplicate",
      "tele.pose.latest-value-wins", "tele.tcp.bad-length", "tele.tcp.hello-timeout",
    ],
    "keeps-refused": ["tele.hello.bad-code", "tele.hello.busy", "tele.hello.version"],
    "keeps-other-version": ["tele.hello.version"],
    "nan-later": ["tele.haptic.sender-range"],
    "faster-later": ["tele.haptic.sender-rate"],
    "sends-twice": ["tele.haptic.sender-rate"],
    "waits-for-hello": ["tele.tcp.hello-timeout"],
    "half-is-newer": ["tele.pose.half-range", "tele.robust.mutations"],
    "slow-heartbeat": ["tele.session.heartbeat"],
    "still-counter": ["tele.session.heartbeat"],
    "old-bye": ["tele.bye.wrong-session"],
    "wrong-code-keeps-alive": ["tele.session.timeout"],
    "not-finite-first": ["tele.pose.non-finite"],
    "one-nan": ["tele.pose.non-finite", "tele.robust.mutations"],
    "ports-alone": ["tele.hello.busy"],
    "thousand-poses": ["tele.pose.latest-value-wins"],
    "first-pose-twice": [
      "tele.hello.busy", "tele.pose.duplicate", "tele.pose.latest-value-wins", "tele.pose.non-finite",
    ],
    "second-hello-begins-again": ["tele.hello.ack-every", "tele.hello.version", "tele.pose.latest-value-wins"],
  ]
  static let mouse: [String: Set<String>] = [
    "wraps": ["mouse.clamp.int8", "mouse.clamp.never-minus-128", "mouse.split.sum"],
    "sends-minus-128": ["mouse.clamp.int8", "mouse.clamp.never-minus-128"],
    "clamps-only": ["mouse.split.sum"],
    "remainder-reversed": ["mouse.split.sum"],
    "buttons-once": ["mouse.sender.form", "mouse.split.buttons"],
    "scroll-in-every": ["mouse.split.buttons", "mouse.split.sum"],
    "silent-drop": ["mouse.sender.not-connected"],
    "nan-is-zero": ["mouse.sender.not-a-number"],
    "crashes-on-nan": ["mouse.sender.not-a-number", "mouse.split.buttons"],
    "clamps-silently": ["mouse.split.sum"],
    "reserved-set": ["mouse.sender.form", "mouse.split.buttons"],
    "buttons-late": ["mouse.sender.form"],
    "six-bytes": ["mouse.sender.form"],
    "big-endian": ["mouse.hid.layout"],
  ]

  static let mouseHost: [String: Set<String>] = [
    "sticky-buttons": [
      "mouse.buttons.control-repairs", "mouse.buttons.latest-value-wins", "mouse.buttons.reserved",
      "mouse.control.resync", "mouse.control.stream",
    ],
    "reserved-counts": ["mouse.buttons.reserved"],
    // All requirements that hold for both transports test messages over TCP.
    "ignores-control": [
      "mouse.buttons.control-repairs", "mouse.buttons.latest-value-wins", "mouse.buttons.reserved",
      "mouse.control.resync", "mouse.control.stream", "mouse.header.unknown", "mouse.pointer.screen",
      "mouse.pointer.sum", "mouse.scroll.sum",
    ],
    "duplicates-dropped": [
      "mouse.buttons.reserved", "mouse.control.resync", "mouse.control.stream", "mouse.header.unknown",
      "mouse.length.wrong", "mouse.pointer.screen", "mouse.pointer.sum", "mouse.scroll.sum",
    ],
    // The way to the middle of any screen goes over its corner.
    "leaves-screen": [
      "mouse.buttons.reserved", "mouse.control.resync", "mouse.control.stream", "mouse.header.unknown",
      "mouse.length.wrong", "mouse.pointer.screen", "mouse.pointer.sum",
    ],
    "remembers-beyond": [
      "mouse.buttons.reserved", "mouse.control.resync", "mouse.control.stream", "mouse.header.unknown",
      "mouse.length.wrong", "mouse.pointer.screen", "mouse.pointer.sum",
    ],
    "header-unchecked": ["mouse.buttons.latest-value-wins", "mouse.header.unknown"],
    "length-unchecked": ["mouse.length.wrong"],
    "invalid-releases": ["mouse.buttons.latest-value-wins", "mouse.header.unknown", "mouse.length.wrong"],
    "invalid-scrolls": ["mouse.header.unknown", "mouse.length.wrong"],
    "one-in-256": ["mouse.pointer.sum"],
    "loses-largest": [
      "mouse.buttons.reserved", "mouse.control.resync", "mouse.control.stream", "mouse.header.unknown",
      "mouse.length.wrong", "mouse.pointer.screen", "mouse.pointer.sum",
    ],
    "no-lower-edge": ["mouse.pointer.screen"],
    "ignores-scroll": ["mouse.control.stream", "mouse.scroll.sum"],
    "scroll-moves": ["mouse.control.stream", "mouse.pointer.sum", "mouse.scroll.sum"],
    "never-resyncs": ["mouse.control.resync"],
    "resyncs-by-five": ["mouse.control.resync"],
    "read-is-packet": ["mouse.control.resync", "mouse.control.stream"],
    "waits-for-control": ["mouse.buttons.latest-value-wins"],
    "first-movement-is-origin": ["mouse.pointer.sum"],
    "thousand-packets": ["mouse.pointer.screen", "mouse.pointer.sum"],
    "releases-on-empty-close": ["mouse.buttons.latest-value-wins"],
  ]

  static let ahap: [String: Set<String>] = [
    "defaults-zero": ["ahap.parse.defaults", "ahap.parse.malformed"],
    "no-clamp": ["ahap.parse.clamp", "ahap.parse.malformed"],
    "silent": ["ahap.parse.clamp", "ahap.parse.defaults", "ahap.parse.malformed", "ahap.parse.unknown-keys"],
    "refuses-unknown-keys": ["ahap.parse.malformed", "ahap.parse.unknown-keys"],
    "accepts-malformed": ["ahap.parse.malformed"],
    "loses-on-malformed": ["ahap.parse.malformed"],
    "crashes-on-malformed": ["ahap.parse.malformed"],
    "steps-curves": [
      "ahap.curve.interpolation", "ahap.curve.relative-time", "ahap.parse.clamp", "ahap.parse.malformed",
      "ahap.parse.unknown-keys",
    ],
    "absolute-times": [
      "ahap.curve.relative-time", "ahap.parse.clamp", "ahap.parse.malformed", "ahap.parse.unknown-keys",
    ],
  ]

  static let haptics: [String: Set<String>] = [
    "normal-too-strong": ["haptics.engine.restart", "haptics.pattern.normal"],
    "multi-border": ["haptics.engine.restart", "haptics.pattern.multi"],
    "gradual-linear": ["haptics.engine.restart", "haptics.pattern.gradual"],
    "gradual-short": ["haptics.engine.restart", "haptics.pattern.gradual"],
    "heavy-grows": ["haptics.engine.restart", "haptics.pattern.heavy"],
    "no-restart-on-failure": ["haptics.engine.restart"],
    "no-restart-on-reset": [
      "haptics.engine.restart", "haptics.pattern.gradual", "haptics.pattern.heavy", "haptics.pattern.multi",
      "haptics.pattern.normal", "haptics.thermal.low-power", "haptics.thermal.serious",
    ],
    "forgets-patterns": ["haptics.engine.restart"],
    "plays-unsupported": ["haptics.engine.unsupported-device"],
    "crashes-unsupported": ["haptics.engine.unsupported-device"],
    "starts-now": [
      "haptics.engine.restart", "haptics.pattern.gradual", "haptics.pattern.heavy", "haptics.pattern.multi",
      "haptics.pattern.normal", "haptics.sync.future-scheduling", "haptics.thermal.low-power",
      "haptics.thermal.serious",
    ],
    "ignores-latency": [
      "haptics.engine.restart", "haptics.pattern.gradual", "haptics.pattern.heavy", "haptics.pattern.multi",
      "haptics.pattern.normal", "haptics.sync.future-scheduling", "haptics.thermal.low-power",
      "haptics.thermal.serious",
    ],
    "plays-when-serious": ["haptics.engine.restart", "haptics.thermal.low-power", "haptics.thermal.serious"],
    "low-power-plays": ["haptics.engine.restart", "haptics.thermal.low-power"],
    "low-power-three-impacts": ["haptics.thermal.low-power"],
  ]

  static let touch: [String: Set<String>] = [
    "threshold-inclusive": ["touch.trace.latched", "touch.trace.light"],
    // Light touches are forwarded, wherever a touch is light before, after or in place of a press.
    "forwards-light": [
      "touch.texture.edges", "touch.texture.grain", "touch.texture.none", "touch.texture.scroll", "touch.trace.deep",
      "touch.trace.latched", "touch.trace.light", "touch.trace.light-tap",
    ],
    "swallows-began": [
      "touch.texture.edges", "touch.texture.grain", "touch.texture.none", "touch.texture.scroll", "touch.trace.deep",
      "touch.trace.latched", "touch.trace.light",
    ],
    "forgets-latch": ["touch.trace.latched"],
    "latch-stays": [
      "touch.texture.edges", "touch.texture.grain", "touch.texture.none", "touch.texture.scroll", "touch.trace.latched",
      "touch.trace.light",
    ],
    "global-last-point": ["touch.texture.grain"],
    "screen-coordinates": ["touch.texture.edges", "touch.trace.latched", "touch.trace.no-pressure"],
    "edges-enter-only": ["touch.texture.edges"],
    "grain-every-sample": ["touch.texture.grain"],
    "medium-first": ["touch.texture.scroll"],
    "feels-smooth": ["touch.texture.none"],
    "light-tap-activates": [
      "touch.texture.edges", "touch.texture.grain", "touch.texture.none", "touch.texture.scroll", "touch.trace.latched",
      "touch.trace.light", "touch.trace.light-tap",
    ],
    "traces-without-pressure": ["touch.trace.no-pressure"],
    "traces-every-finger": ["touch.trace.light"],
    "looks-once": ["touch.texture.edges", "touch.trace.light"],
  ]

  static let audio: [String: Set<String>] = [
    "inverse-square": ["audio.distance.inverse", "audio.scale", "audio.head"],
    "linear-from-zero": ["audio.distance.linear", "audio.head"],
    "exponential-without-rolloff": ["audio.distance.exponential", "audio.head"],
    "louder-than-full": [
      "audio.distance.exponential", "audio.distance.inverse", "audio.distance.linear", "audio.head", "audio.side",
    ],
    "fades-forever": ["audio.distance.exponential", "audio.distance.inverse", "audio.head"],
    "no-scale": ["audio.scale", "audio.head"],
    "swaps-ears": ["audio.behind", "audio.head", "audio.side"],
    "pans-by-azimuth": ["audio.behind", "audio.head", "audio.side"],
    "no-delay": ["audio.head", "audio.side"],
    "turns-with-listener": ["audio.head"],
    "head-on-speakers": ["audio.head"],
    "places-stereo": ["audio.mono"],
  ]

  static let senses: [String: Set<String>] = [
    "ignores-distance": ["senses.map.intensity"],
    "ignores-energy": ["senses.map.intensity"],
    "dull-crack": ["senses.map.sharpness"],
    "sharp-rumble": ["senses.map.sharpness"],
    "delivers-again": ["senses.drain"],
    "keeps-latest-only": ["senses.drain"],
    "reverses": ["senses.drain"],
    "drains-the-future": ["senses.drain"],
    "feels-when-serious": ["senses.degrade"],
    "places-when-serious": ["senses.degrade"],
    "sounds-when-critical": ["senses.degrade"],
    "all-particles": ["senses.degrade"],
    "low-power-plays": ["senses.degrade"],
    "ignores-category": ["senses.degrade"],
  ]
}
