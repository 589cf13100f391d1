import Foundation
import TelecapRecording
import TelecapTestSupport
import TelecapTele
import Testing

/// Recordings that are right and odd, such as other tools write: every command that reads ends with 0, or with 65 and a reason;
/// none breaks.
@Suite(.real("runs telecap")) struct OddRecordingTests {
  /// A pcapng file, block by block; little-endian.
  private struct Blocks {
    var bytes: [UInt8] = []

    mutating func add(_ type: UInt32, _ body: [UInt8]) {
      let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
      let length = Blocks.u32(UInt32(padded.count + 12))
      bytes += Blocks.u32(type) + length + padded + length
    }

    init() { add(0x0a0d_0d0a, Blocks.u32(0x1a2b_3c4d) + [1, 0, 0, 0] + [UInt8](repeating: 0xff, count: 8)) }

    /// An interface; `options` as they stand behind its snapshot length.
    mutating func interface(_ link: UInt16, options: [UInt8] = []) {
      add(1, [UInt8(link & 255), UInt8(link >> 8), 0, 0] + Blocks.u32(0) + options)
    }

    /// A packet at so many units since 1970.
    mutating func packet(_ frame: [UInt8], interface: UInt32 = 0, at time: Int64, options: [UInt8] = []) {
      let bits = UInt64(bitPattern: time)
      let count = Blocks.u32(UInt32(frame.count))
      let padding = [UInt8](repeating: 0, count: (4 - frame.count % 4) % 4)
      add(
        6,
        Blocks.u32(interface) + Blocks.u32(UInt32(truncatingIfNeeded: bits >> 32))
          + Blocks.u32(UInt32(truncatingIfNeeded: bits)) + count + count + frame + padding + options)
    }

    mutating func statistics(interface: UInt32) { add(5, Blocks.u32(interface) + Blocks.u32(0) + Blocks.u32(0)) }

    static func u32(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

    static func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
      let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
      return [UInt8(code & 255), UInt8(code >> 8), UInt8(value.count & 255), UInt8(value.count >> 8)] + value + padding
    }
  }

  /// A pose in a bare IP packet (link type 101).
  private static func pose(_ number: Int) throws -> [UInt8] {
    let payload = try RecordedSession.pose(number)
    let udp = [0x9c, 0x40, 0xc3, 0x50, 0, UInt8(payload.count + 8), 0, 0] + payload
    return [0x45, 0, 0, UInt8(udp.count + 20), 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 7, 192, 0, 2, 1] + udp
  }

  /// What is odd, and the file.
  static let recordings: [String: @Sendable () throws -> [UInt8]] = [
    "a clock that jumps back by an hour": {
      var file = Blocks()
      file.interface(101)
      for (index, time) in [5_000_000_000, 5_000_100_000, 1_400_000_000, 1_400_100_000].enumerated() {
        file.packet(try pose(index), at: Int64(time))
      }
      return file.bytes
    },
    "times before 1970, by an offset of the interface": {
      var file = Blocks()
      let offset = withUnsafeBytes(of: Int64(-3_000_000_000).littleEndian) { Array($0) }
      file.interface(101, options: Blocks.option(14, offset) + Blocks.option(0, []))
      for index in 0..<3 { file.packet(try pose(index), at: Int64(index) * 1_000) }
      return file.bytes
    },
    "times at the ends of what 64 bits hold": {
      var file = Blocks()
      file.interface(101, options: Blocks.option(9, [9]) + Blocks.option(0, []))
      for (index, time) in [0, Int64.max, .min, -1].enumerated() { file.packet(try pose(index), at: time) }
      return file.bytes
    },
    "statistics of an interface before the interface": {
      var file = Blocks()
      file.statistics(interface: 0)
      file.interface(101)
      file.packet(try pose(0), at: 1_700_000_000_000_000)
      return file.bytes
    },
    "two link types": {
      var file = Blocks()
      file.interface(101)
      file.interface(1)
      file.packet(try pose(0), at: 1_700_000_000_000_000)
      file.packet([UInt8](repeating: 2, count: 12) + [8, 0] + (try pose(1)), interface: 1, at: 1_700_000_000_001_000)
      return file.bytes
    },
    "link types that nobody reads, tunnels and garbage": {
      var file = Blocks()
      for link in [127, 258, 101, 1] as [UInt16] { file.interface(link) }
      file.packet([1, 2, 3], interface: 0, at: 1)
      file.packet([], interface: 1, at: 2)
      let gre: [UInt8] = [0x45, 0, 0, 28, 0, 0, 0, 0, 64, 47, 0, 0, 192, 0, 2, 7, 192, 0, 2, 1, 0, 0, 8, 0, 1, 2, 3, 4]
      file.packet(gre, interface: 2, at: 3)
      file.packet([UInt8](repeating: 2, count: 12) + [0x88, 0x64, 0x11, 0, 0, 1, 0, 2, 0, 0x21], interface: 3, at: 4)
      file.packet([0xff], interface: 2, at: 5)
      return file.bytes
    },
    "comments of packets, of several lines and languages": {
      var file = Blocks()
      file.interface(101)
      for (index, note) in ["a\nb\u{1b}[31m", "Grüße \u{202e}abc", ""].enumerated() {
        let options = Blocks.option(1, Array(note.utf8)) + Blocks.option(0, [])
        file.packet(try pose(index), at: 1_700_000_000_000_000 + Int64(index), options: options)
      }
      return file.bytes
    },
    "no packet": {
      var file = Blocks()
      file.interface(101)
      return file.bytes
    },
    "btsnoop with times since the phone was started": {
      var bytes = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xea]
      for index in 0..<3 as Range<UInt8> {
        let frame: [UInt8] = [2, 1, 0, 9, 0, 5, 0, 4, 0, 0x1b, 0x10, 0, index, 0]
        let count: [UInt8] = [0, 0, 0, UInt8(frame.count)]
        bytes += count + count + [0, 0, 0, 1] + [0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, index] + frame
      }
      return bytes
    },
    "a file that ends within a packet": {
      var file = Blocks()
      file.interface(101)
      file.packet(try pose(0), at: 1)
      file.packet(try pose(1), at: 2)
      return file.bytes.dropLast(9)
    },
    "text": { Array("libinput:\n  version: 1.22\n".utf8) }, "nothing": { [] },
  ]

  /// The path of a recording of this name.
  private static func write(_ odd: String, to folder: Folder) throws -> String {
    let recording = try #require(recordings[odd])
    let bytes = try recording()
    return try folder.write(bytes, to: "a.pcapng")
  }

  @Test("Every command that reads ends with 0 or 65", arguments: recordings.keys.sorted())
  func commands(_ odd: String) throws {
    let folder = try Folder()
    _ = try OddRecordingTests.write(odd, to: folder)
    let script = """
      cd '\(folder.path)'
      for c in 'report a.pcapng -o r.html' 'dissect a.pcapng --format json' 'info a.pcapng' 'import a.pcapng -o a.telecap' \
      'plan a.pcapng --loss 5% -o a.plan' 'replay a.pcapng --dry-run'; do
        $telecap $c > out 2> err < /dev/null
        echo "$? $c"
      done
      [ ! -e a.telecap ] || { $telecap report a.telecap -o t.html > /dev/null 2>&1; echo "$? report a.telecap"; }
      """
    let lines = try Program.shell(script).lines
    #expect(lines.count >= 6 && lines.allSatisfy { $0.hasPrefix("0 ") || $0.hasPrefix("65 ") }, "\(lines)")
  }

  @Test("A page of it is shown and ended, or refused with a reason", arguments: recordings.keys.sorted())
  func view(_ odd: String) throws {
    let folder = try Folder()
    let file = try OddRecordingTests.write(odd, to: folder)
    let running = try Program.start(["view", file, "--no-open"])
    try running.wait("for its page or its end", seconds: 60) {
      running.output.contains("\n") || running.errors.contains("telecap: ")
    }
    guard let address = running.output.firstMatch(of: /http:\/\/[^\s]+/)?.output else {
      #expect(try running.finish().status == 65, "\(running.errors)")
      return
    }
    let page = try Program.shell("curl -s -m 60 '\(address)' | grep -c telecap")
    #expect(page.status == 0, "\(page)")
    running.signal(SIGINT)
    let status = try running.finish().status
    #expect(status == 0 || status == 65, "a damaged recording is shown as far as it goes")
  }
}
