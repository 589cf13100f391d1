import TelecapProtocols
import TelecapRecording
import TelecapWire
import Testing

/// Traffic of a protocol that comes with telecap, as its programs send it: clocks go on, sequence numbers wrap, measurements drift.
struct KnownTraffic {
  let owner: WireProtocol
  private(set) var samples: [TrafficSample] = []
  /// The messages that these are.
  private(set) var kinds: [MessageKind] = []
  private var random: SplitMix64
  private var walks: [String: Double] = [:]

  init(_ owner: WireProtocol, seed: UInt64) { (self.owner, random) = (owner, SplitMix64(seed: seed)) }

  /// Sends a message with these values, at a time in milliseconds.
  mutating func send(
    _ name: String, at time: Double, fromHost: Bool? = nil, _ numbers: [String: Double] = [:],
    bytes: [String: [UInt8]] = [:]
  ) throws {
    let kind = try #require(owner[name])
    var message = Message.right(kind)
    for (name, value) in bytes { try message.set(name, to: .bytes(value)) }
    for (name, value) in numbers.sorted(by: { $0.key < $1.key }) {
      let row = try #require(kind.layout[name])
      message.put(value, row)
    }
    message.seal()
    let isHost = fromHost ?? (kind.layoutDirection == .serverToClient)
    let late = Nanoseconds(random.number(below: 200_000))
    samples.append(
      TrafficSample(
        isFromHost: isHost, sender: isHost ? 1 : 0, time: Nanoseconds(time * 1_000_000) + late, bytes: message.bytes))
    kinds.append(kind)
  }

  /// A value that drifts.
  mutating func walk(_ name: String, from start: Double, by step: Double) -> Double {
    walks[name, default: start] += step * noise(1)
    return walks[name] ?? start
  }

  /// A value that is 0 on average.
  mutating func noise(_ deviation: Double) -> Double {
    (0..<3).reduce(0) { sum, _ in sum + Double(random.number(below: 1 << 30)) / Double(1 << 29) - 1 } * deviation
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
}

// MARK: - Protocols

extension KnownTraffic {
  mutating func dsu() throws {
    try send("VERSION_REQUEST", at: 0, ["id": 0x1f3a_77c2])
    try send("VERSION", at: 1, ["id": 0x5be0_1d9f, "max_version": 1_001])
    for slot in 0..<4 {
      try send("PORTS", at: 2, ["id": 0x5be0_1d9f, "slot": Double(slot), "state": slot == 0 ? 2 : 0])
    }
    for index in 0..<300 {
      let time = 10 + Double(index) * 8
      if index % 100 == 0 { try send("PAD_REQUEST", at: time, ["id": 0x1f3a_77c2]) }
      var values = [
        "id": 0x5be0_1d9f, "state": 2, "model": 2, "packet_number": Double(index), "r1": index % 90 > 70 ? 255 : 0,
        "motion_timestamp_us": 8_123_456_789 + Double(index) * 8_000 + noise(40).rounded(),
        "left_x": 128 + walk("x", from: 0, by: 1).rounded(), "left_y": 128 + walk("y", from: 0, by: 1).rounded(),
      ]
      for (name, start) in [("accel_x", 0.02), ("accel_y", -0.98), ("accel_z", 0.1)] {
        values[name] = walk(name, from: start, by: 0.01)
      }
      for name in ["pitch", "yaw", "roll"] { values[name] = noise(20) }
      try send("PAD", at: time + 1, values, bytes: ["mac": [0x7c, 0xbb, 0x8a, 0x10, 0x22, 0x33]])
    }
  }

  mutating func freed() throws {
    for index in 0..<400 {
      let values = [
        "camera": 1, "pan": walk("pan", from: -20, by: 0.15), "tilt": walk("tilt", from: 3, by: 0.05),
        "x": walk("x", from: 1_200, by: 0.5), "y": walk("y", from: -300, by: 0.5),
        "height": walk("height", from: 1_650, by: 0.05), "zoom": 0x4000 + 35 * Double(index), "focus": 0x1501,
      ]
      try send("POSITION", at: Double(index) * 16.7, values)
    }
  }

  mutating func sacn() throws {
    let source: [String: Double] = ["cid_high": 0x7e5a_0c11_44d2_4800, "cid_low": 0x22e1_f0c7_b8e9_1000]
    func text(_ name: String) -> [UInt8] { Array(name.utf8) }
    for index in 0..<120 {
      for universe in [1, 2, 7] {
        var values = source
        values["priority"] = 100
        values["universe"] = Double(universe)
        values["sequence"] = Double((index + 30 * universe + 200) % 256)
        let slots = (0..<508).map { $0 < 24 ? UInt8(truncatingIfNeeded: index * ($0 + universe + 2)) : 0 }
        values["slot1"] = Double(index * 3 % 256)
        try send("DATA", at: Double(index) * 22.7, values, bytes: ["source": text("Main desk"), "slots": slots])
      }
      if index % 50 == 0 {
        try send(
          "DISCOVERY", at: Double(index) * 22.7 + 1,
          source.merging(["framing_length": 88, "discovery_length": 14]) { $1 },
          bytes: ["source": text("Main desk"), "universes": [0, 1, 0, 2, 0, 7]])
      }
    }
  }

  mutating func artnet() throws {
    for index in 0..<400 {
      let sequence = (index + 199) % 255 + 1
      let slots = (0..<512).map { UInt8(truncatingIfNeeded: $0 < 18 ? index * ($0 + 2) : 0) }
      try send(
        "DMX", at: Double(index) * 25, ["sequence": Double(sequence), "universe": 3, "length": 512],
        bytes: ["slots": slots])
      if index % 100 == 0 {
        try send("POLL", at: Double(index) * 25 + 3, ["flags": 2, "priority": 0x10])
        try send("POLL_REPLY", at: Double(index) * 25 + 4, bytes: ["short_name": Array("Node".utf8)])
      }
    }
  }

  mutating func opentrack() throws {
    for index in 0..<300 {
      var values: [String: Double] = [:]
      for name in ["x", "y", "z", "yaw", "pitch", "roll"] {
        values[name] = index < 10 ? 0 : walk(name, from: 0, by: 0.5)
      }
      try send("POSE", at: Double(index) * 4, values)
    }
  }

  mutating func rtp() throws {
    for index in 0..<500 {
      try send(
        "PACKET", at: Double(index) * 20,
        [
          "marker": index == 0 ? 1 : 0, "sequence": Double((65_300 + index) % 65_536),
          "timestamp": Double(4_294_930_000 + index * 160 - (index > 231 ? 1 << 32 : 0)), "ssrc": 0x9f21_c3aa,
        ], bytes: ["payload": bytes(160)])
    }
  }

  mutating func mavlink() throws {
    var (sequence, station) = (200, 3)
    let vehicle: [String: Double] = ["system": 1, "component": 1]
    let ground: [String: Double] = ["system": 255, "component": 190]
    for index in 0..<300 {
      let (time, boot) = (Double(index) * 20, 123_456 + Double(index) * 20)
      func next(_ name: String, _ values: [String: Double], to traffic: inout KnownTraffic) throws {
        let number = ["sequence": Double(sequence % 256)]
        try traffic.send(name, at: time, fromHost: true, vehicle.merging(number) { $1 }.merging(values) { $1 })
        sequence += 1
      }
      var attitude = ["time_boot": boot]
      for name in ["roll", "pitch", "yaw"] { attitude[name] = walk(name, from: name == "yaw" ? 1.5 : 0.02, by: 0.01) }
      for name in ["roll_speed", "pitch_speed", "yaw_speed"] { attitude[name] = noise(0.1) }
      try next("ATTITUDE", attitude, to: &self)
      if index % 4 == 0 {
        var position = ["time_boot": boot]
        for name in ["x", "y", "z"] { position[name] = walk(name, from: -2.5, by: 0.05) }
        for name in ["vx", "vy", "vz"] { position[name] = noise(0.3) }
        try next("LOCAL_POSITION_NED", position, to: &self)
      }
      if index % 30 == 0 {
        try next("HEARTBEAT", ["type": 2, "autopilot": 12, "status": 4, "version": 3], to: &self)
        let values: [String: Double] = ["type": 6, "autopilot": 8, "version": 3, "sequence": Double(station)]
        try send("HEARTBEAT", at: time + 1, fromHost: false, ground.merging(values) { $1 })
        station += 1
      }
      if index % 100 == 50 {
        let values: [String: Double] = ["param1": 1, "command": 400, "target_system": 1, "sequence": Double(station)]
        try send("COMMAND_LONG", at: time + 2, ground.merging(values) { $1 })
        station += 1
      }
    }
  }

  mutating func slimevr() throws {
    var number = 0.0
    try send("HANDSHAKE_REPLY", at: 0)
    for index in 0..<200 {
      for sensor in [0.0, 1.0] {
        let time = 1_000 + Double(index) * 10 + sensor
        var (rotation, acceleration) = (["sensor": sensor, "data_type": 1], ["sensor": sensor])
        for name in ["qx", "qy", "qz", "qw"] { rotation[name] = walk("\(name)\(sensor)", from: 0.5, by: 0.01) }
        for name in ["x", "y", "z"] { acceleration[name] = walk("\(name)\(sensor)", from: 0, by: 0.2) }
        (rotation["number"], acceleration["number"]) = (number, number + 1)
        number += 2
        try send("ROTATION", at: time, rotation)
        try send("ACCELERATION", at: time + 0.3, acceleration)
      }
      if index % 50 == 0 {
        try send("SERVER_HEARTBEAT", at: 1_005 + Double(index) * 10)
        try send("BATTERY", at: 1_006 + Double(index) * 10, ["number": number, "voltage": 3.9, "level": 0.8])
        number += 1
      }
    }
  }

  mutating func ddp() throws {
    for index in 0..<150 {
      for (part, count) in [(0, 144), (1, 36)] {
        let data = (0..<count).map { UInt8(truncatingIfNeeded: index * 3 + $0 * 7) }
        try send(
          "PIXELS", at: Double(index) * 25 + Double(part),
          [
            "push": Double(part), "sequence": Double((2 * index + part) % 15 + 1), "colour": 1, "depth": 3, "device": 1,
            "offset": Double(144 * part), "length": Double(count),
          ], bytes: ["data": data])
      }
    }
  }

  mutating func xplane() throws {
    for index in 0..<200 {
      let time = Double(index) * 50
      if index < 3 {
        try send(
          "RREF_REQUEST", at: time, ["frequency": 20, "number": Double(index)],
          bytes: ["dataref": Array("sim/time/\(index)".utf8)])
      }
      let value = walk("value", from: 2, by: 0.1)
      try send("RREF", at: time + 1, ["number": 1, "value": value])
      var place = [
        "longitude": walk("longitude", from: 47.26, by: 0.00001),
        "latitude": walk("latitude", from: 11.34, by: 0.00001),
        "elevation": walk("elevation", from: 900, by: 0.3), "height": 310 + noise(0.2), "heading": 245 + noise(0.2),
      ]
      for name in ["pitch", "roll", "v_east", "v_up", "v_south", "roll_rate", "pitch_rate", "yaw_rate"] {
        place[name] = noise(name.hasSuffix("rate") ? 0.01 : 3)
      }
      try send("RPOS", at: time + 2, place)
      if index % 10 == 0 {
        try send("DREF", at: time + 3, ["value": abs(noise(1))], bytes: ["dataref": Array("sim/flaps".utf8)])
      }
    }
  }
}
