import TelecapRecording
import TelecapTestSupport
import Testing

@Suite struct IPAddressTests {
  @Test(
    "A printed IPv4 address is parsed back",
    arguments: ["0.0.0.0", "127.0.0.1", "192.0.2.1", "255.255.255.255", "10.20.30.40", "1.0.0.0", "0.0.0.1"])
  func v4(_ text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == text)
    #expect(address.family == .v4)
    #expect(address.high == 0)
    #expect(address.bytes == text.split(separator: ".").compactMap { UInt8($0) })
  }

  @Test(
    "IPv6 is printed in the one form of RFC 5952",
    arguments: [
      ("::", "::"), ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("1::", "1::"), ("1:0:0:0:0:0:0:0", "1::"),
      // §4.1 leading zeros
      ("2001:0db8::0001", "2001:db8::1"),
      // §4.2.1 shorten as much as possible
      ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
      // §4.2.2 one zero group alone stays
      ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
      ("0:1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
      ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
      // §4.2.3 the longest run, the first of equals
      ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
      // §4.3 lower case
      ("2001:DB8::ABCD:EF", "2001:db8::abcd:ef"),
      // §5 embedded IPv4 with a known prefix, and without one
      ("::ffff:c000:201", "::ffff:192.0.2.1"), ("::FFFF:192.0.2.1", "::ffff:192.0.2.1"),
      ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("::192.0.2.1", "::c000:201"),
      ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
      ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ])
  func v6(_ text: String, _ canonical: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.family == .v6)
    #expect(address.description == canonical)
    #expect(IPAddress(canonical) == address)
  }

  @Test(
    "A text that is no address is not parsed",
    arguments: [
      "", ".", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.-4", "1.2.3.+4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.0x4",
      "1..2.3", "1.2.3.", "01.2.3.4", "1.2.3.00", "1.2.3.1000", "１.2.3.4", "localhost", "a.b.c.d",
      ":", ":::", "1:2", "::1::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
      "::1:2:3:4:5:6:7:8",
      ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "12345::", "::g", "::+1", "::-1", "::1%lo", "fe80::1%1", "[::1]", "::1/64",
      "::1.2.3", "::1.2.3.256", "1.2.3.4::", "1.2.3.4::1", "::1.2.3.4:1", "1:2:3:4:5:6:7:1.2.3.4", "::１",
    ])
  func invalid(_ text: String) { #expect(IPAddress(text) == nil) }

  @Test("Printing and reading agree for any address")
  func roundTrip() {
    var random = SplitMix64(seed: 5_952)
    for _ in 0..<5_000 {
      let bits = random.next()
      let v4 = IPAddress(v4: UInt32(truncatingIfNeeded: bits))
      #expect(IPAddress(v4.description) == v4)
      // Half of the groups are zero, so that runs of all lengths occur.
      var halves: [UInt64] = [0, 0]
      for group in 0..<8 where bits >> UInt64(group) & 1 == 1 {
        halves[group / 4] |= (random.next() & 0xffff) << UInt64(group % 4 * 16)
      }
      let v6 = IPAddress(v6High: halves[0], low: halves[1])
      #expect(IPAddress(v6.description) == v6, "\(v6)")
      #expect(v6.bytes.count == 16)
    }
  }

  @Test("An IPv4 address and the IPv6 address of the same bits differ")
  func families() {
    #expect(IPAddress(v4: 1) != IPAddress(v6High: 0, low: 1))
    #expect(
      IPAddress(v6High: 0x2001_0db8_0000_0000, low: 1).bytes == [0x20, 1, 0xd, 0xb8] + Array(repeating: 0, count: 11)
        + [1])
  }

  @Test(
    "Loopback, multicast and broadcast addresses are recognised by their numbers",
    arguments: [
      ("127.0.0.1", "L"), ("127.255.255.254", "L"), ("126.255.255.255", ""), ("128.0.0.0", ""), ("::1", "L"),
      ("::2", ""),
      ("::", ""), ("0.0.0.0", ""), ("224.0.0.0", "M"), ("239.255.255.255", "M"), ("240.0.0.0", ""),
      ("223.255.255.255", ""),
      ("ff02::fb", "M"), ("fe80::1", ""), ("255.255.255.255", "B"), ("192.0.2.255", ""), ("::ffff:255.255.255.255", ""),
    ])
  func kinds(_ text: String, _ expected: String) throws {
    let address = try #require(IPAddress(text))
    let found =
      (address.isLoopback ? "L" : "") + (address.isMulticast ? "M" : "") + (address.isLimitedBroadcast ? "B" : "")
    #expect(found == expected)
  }

  @Test("The named addresses have their values")
  func named() {
    #expect(IPAddress.loopback.description == "127.0.0.1")
    #expect(IPAddress.any.description == "0.0.0.0")
  }
}
