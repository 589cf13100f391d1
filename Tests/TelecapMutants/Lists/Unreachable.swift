/// Changes that make no difference to any run of their role and transport, whatever a scenario does: they are made by
/// the lists like all others, and are no mutants. `make mutants` ends with 1 if a run reaches one of them after all.
enum Unreachable {
  /// Why no run can reach the change of this name; nil where one may.
  static func why(_ name: String) -> String? { rows.first { $0.pattern.matches(name) }?.why }

  static let rows: [(pattern: Glob, why: String)] = [
    ("d*/out/*number/cut-*", "No run sends so many messages."),
    ("d*/out/*number/top-bit-lost", "No run sends so many messages."),
    ("drone-client/udp/out/*.token/first-kept", oneSession), ("drone-client/udp/out/*.token/previous", oneSession),
    ("drone-host/udp/in/LEAVE/one-in-10-*", "No run has ten sessions."),
    ("dsu-*/in/header.version/any-case", "Its bytes are no letters."),
    ("drone-*/in/header.sync/any-of-*", "Without it a message is of no kind."),
    ("host/*/in/POSE.timestamp_us/top-bit-lost", "A session does not last 292,000 years."),
    ("phone/*/out/POSE.timestamp_us/top-bit-lost", "A session does not last 292,000 years."),
    ("phone/*/out/POSE.timestamp_us/cut-32", "2³² µs are 72 minutes, and no run is as long."),
    ("host/ble/out/HEARTBEAT.counter/cut-16", "The counter is 65,536 after nine hours."),
    ("host/ble/out/HEARTBEAT.counter/top-bit-lost", "The counter is 2³¹ after 34 years."),
    ("host/ble/out/HEARTBEAT.uptime_ms/top-bit-lost", "uptime_ms is 2³¹ after 24 days."),
    ("phone/ble/out/POSE.seq/top-bit-lost", "seq is 32,768 after nine minutes: one run is as long, and goes over UDP."),
    ("phone/ble/shown/close/one-in-10-*", "No run loses ten sessions of a phone."),
    ("phone/tcp/out/POSE.seq/top-bit-lost", "seq is 32,768 after nine minutes: one run is as long, and goes over UDP."),
    ("host/*/out/CONFIG.config_len/cut-8", emptyConfig),
    ("host/*/out/CONFIG.config_len/top-bit-lost", emptyConfig),
    ("host/*/out/CONFIG.config_len/first-kept", emptyConfig),
    ("host/*/out/CONFIG.config_len/previous", emptyConfig),
    ("host/tcp/out/ACK.m*_version/top-bit-lost", sameVersions),
    ("host/tcp/out/ACK.m*_version/first-kept", sameVersions),
    ("host/tcp/out/ACK.m*_version/previous", sameVersions), ("host/tcp/out/ACK.m*_version/*_version", sameVersions),
    ("phone/*/in/*/any-sender", "In a scenario only its host speaks to a phone."),
    ("phone/*/out/BYE.session_id/first-kept", oneBye), ("phone/*/out/BYE.session_id/previous", oneBye),
    ("phone/*/out/BYE/second-lost", oneBye), ("phone/*/out/BYE/one-in-*", oneBye),
    ("phone/*/out/BYE/all-but-first-lost", oneBye),
    ("phone/udp/shown/close/one-in-10-lost", "No run loses ten sessions of a phone."),
    ("phone/tcp/in/ACK/one-in-10-*", tenConnections), ("phone/tcp/out/HELLO/one-in-10-*", tenConnections),
    ("mouse-host/udp/shown/buttons/released-after-release", "Behind a release nothing is down."),
    ("mouse-host/tcp/in/CONTROL.type/unknown", cutByHead), ("mouse-host/tcp/in/CONTROL.type/low-nibble", cutByHead),
    ("mouse-host/tcp/in/CONTROL.type/low-7-bits", cutByHead), ("mouse-host/tcp/in/CONTROL.length/*", cutByHead),
    ("mouse-host/*/in/*/any-sender", "A mouse has no session that somebody else could speak in."),
    ("mouse/tcp/out/CONTROL.delta_*/ignored", stillClick), ("mouse/tcp/out/CONTROL.delta_*/*ed", stillClick),
    ("mouse/tcp/out/CONTROL.delta_*/*-lost", stillClick), ("mouse/tcp/out/CONTROL.delta_*/first-kept", stillClick),
    ("mouse/tcp/out/CONTROL.delta_*/previous", stillClick), ("mouse/tcp/out/CONTROL.delta_*/*-delta_y", stillClick),
    ("mouse/tcp/out/CONTROL.delta_*/*-scroll", stillClick), ("mouse/tcp/out/CONTROL.scroll/*ed", stillClick),
    ("mouse/tcp/out/CONTROL.scroll/*-lost", stillClick), ("mouse/tcp/out/CONTROL.scroll/first-kept", stillClick),
    ("mouse/tcp/out/CONTROL.scroll/previous", stillClick), ("mouse/tcp/out/CONTROL.scroll/*-delta_y", stillClick),
    ("audio/shown/unplaced.*/whole", bed), ("audio/shown/unplaced.*/previous", bed),
    ("audio/shown/unplaced.*/*-kept", bed),
    ("audio/sometimes/no-delay/on-speakers", "Speakers delay nothing."),
    ("audio/sometimes/head-on-speakers/on-headset", "On a headset the head counts."),
    ("senses/shown/*.n/largest-kept", "The numbers of events grow."),
    ("senses/shown/impact.style/light-*", oneImpact), ("senses/shown/impact.style/heavy-*", oneImpact),
    ("senses/shown/impact.style/previous", oneImpact), ("senses/shown/impact.style/first-kept", oneImpact),
    ("senses/sometimes/ignores-distance/serious", noPattern), ("senses/sometimes/ignores-distance/critical", noPattern),
    ("senses/sometimes/ignores-distance/saving", noPattern), ("senses/sometimes/ignores-energy/serious", noPattern),
    ("senses/sometimes/ignores-energy/critical", noPattern), ("senses/sometimes/ignores-energy/saving", noPattern),
    ("senses/sometimes/ignores-category/critical", "A critical device is silent."),
    ("senses/sometimes/dull-crack/serious", noPattern),
    ("senses/sometimes/dull-crack/critical", noPattern), ("senses/sometimes/dull-crack/saving", noPattern),
    ("senses/sometimes/sharp-rumble/serious", noPattern), ("senses/sometimes/sharp-rumble/critical", noPattern),
    ("senses/sometimes/sharp-rumble/saving", noPattern), ("senses/sometimes/*-when-serious/cool", notHot),
    ("senses/sometimes/*-when-serious/fair", notHot), ("senses/sometimes/sounds-when-critical/cool", notHot),
    ("senses/sometimes/sounds-when-critical/fair", notHot), ("senses/sometimes/sounds-when-critical/serious", notHot),
    ("senses/sometimes/places-when-serious/critical", "A critical device is silent."),
    ("senses/sometimes/all-particles/cool", "A cool device shows all particles."),
    ("senses/sometimes/low-power-plays/serious", noPattern), ("senses/sometimes/low-power-plays/critical", noPattern),
    ("touch/shown/impact.style/heavy-*", "Textures are felt as light and medium impacts."),
    ("haptics/asked/prepare/second-lost", onePrepare), ("haptics/asked/prepare/one-in-*", onePrepare),
    ("haptics/asked/prepare/all-but-first-lost", onePrepare), ("haptics/asked/prepare/lost-after-prepare", onePrepare),
    ("haptics/asked/prepare/lost-after-play-fails", "Nothing plays, or fails, before there is an engine."),
    ("haptics/shown/transient.at/*ed", tapAt0), ("haptics/shown/transient.at/*-kept", tapAt0),
    ("haptics/shown/transient.at/*-1", tapAt0), ("haptics/shown/transient.at/*-only", tapAt0),
    ("haptics/shown/transient.at/whole", tapAt0), ("haptics/shown/transient.at/previous", tapAt0),
    ("haptics/shown/impact.style/light-*", oneImpact), ("haptics/shown/impact.style/heavy-*", oneImpact),
    ("haptics/shown/impact.style/previous", oneImpact), ("haptics/shown/impact.style/first-kept", oneImpact),
    ("haptics/sometimes/normal-too-strong/critical", noPattern),
    ("haptics/sometimes/normal-too-strong/saving", noPattern),
    ("haptics/sometimes/multi-border/critical", noPattern), ("haptics/sometimes/multi-border/saving", noPattern),
    ("haptics/sometimes/gradual-*/critical", noPattern), ("haptics/sometimes/gradual-*/saving", noPattern),
    ("haptics/sometimes/heavy-grows/critical", noPattern), ("haptics/sometimes/heavy-grows/saving", noPattern),
    ("haptics/sometimes/low-power-three-impacts/critical", noPattern),
    ("ahap/asked/point.time/sign-lost", pointBefore), ("ahap/asked/point.time/above-0-only", pointBefore),
  ].map { (Glob($0.0), $0.1) }

  private static let oneSession = "A client has one session in a run."
  private static let emptyConfig = "Our host has nothing to configure: CONFIG holds {}, always."
  private static let sameVersions = "Our host speaks version 1 and no other."
  private static let oneBye = "A phone says BYE when it leaves, once in a run."
  private static let tenConnections = "No run over TCP has ten connections of a phone."
  private static let cutByHead =
    "Messages of this stream are found by their first byte, and have the size that they are cut to."
  private static let bed = "A bed is played as it is: 1 and 1, always."
  private static let oneImpact = "One impact stands for a pattern, and it is medium."
  private static let noPattern = "No pattern is felt then."
  private static let onePrepare = "An application prepares its engine once."
  private static let tapAt0 = "A tap is its whole pattern, and begins with it."
  private static let pointBefore = "Whether a point may lie before its curve the text leaves open: none does."
  private static let notHot = "The device is not as hot."
  private static let stillClick = "A click moves nothing: these fields are 0 whatever is done to 0."
}
