import TelecapImpairment
import Testing

@testable import TelecapReplay

/// What keys make of the network of a relay.
@Suite struct RelayKeyTests {
  /// What these keys make of a network, one after another.
  private func pressed(_ keys: String, on network: String = "") throws -> String {
    let known = try keys.map { try #require(RelayKey(rawValue: $0)) }
    return known.reduce(try Impairments(parsing: network)) { $1.changed($0) }.description
  }

  @Test(
    "Each key changes one number, and no number goes below nothing",
    arguments: [
      ("L", "", "--loss 1%"), ("LLL", "", "--loss 3%"), ("l", "", ""), ("Ll", "", ""), ("l", "--loss 5%", "--loss 4%"),
      ("l", "--loss 0.5%", ""), ("L", "--loss 99.5%", "--loss 100%"), ("LL", "--loss 99%", "--loss 100%"),
      ("D", "", "--delay 10ms"), ("d", "", ""), ("d", "--delay 15ms", "--delay 5ms"), ("Dd", "", ""),
      ("d", "--delay 4ms --jitter 2ms", "--delay 0s --jitter 2ms"), ("J", "", "--delay 0s --jitter 5ms"),
      ("JJj", "--delay 20ms", "--delay 20ms --jitter 5ms"), ("j", "--delay 20ms", "--delay 20ms"),
      ("LDJ", "--duplicate 3%", "--loss 1% --duplicate 3% --delay 10ms --jitter 5ms"), ("q", "--loss 5%", "--loss 5%"),
      ("0", "--loss 5% --delay 10ms --rate 1mbit --stall 1s@2s", ""),
    ])
  func keys(_ keys: String, _ before: String, _ after: String) throws {
    #expect(try pressed(keys, on: before) == Impairments(parsing: after).description)
  }

  @Test("What keys do not change stays: a correlation, the order, a distribution")
  func kept() throws {
    #expect(try pressed("L", on: "--loss 5%,25%") == "--loss 6%,25%")
    #expect(
      try pressed("DJ", on: "--delay 5ms --jitter 5ms --distribution normal --keep-order")
        == "--delay 15ms --jitter 10ms --distribution normal --keep-order")
  }

  @Test("Loss by a model of bursts is no single percentage, and stays until all is cleared")
  func bursts() throws {
    let model = try Impairments(parsing: "--loss-model gemodel:2%,25%,100%,0%").description
    #expect(try pressed("L", on: model) == model && pressed("lllll", on: model) == model)
    #expect(try pressed("0", on: model) == "")
  }

  @Test("The help names each key")
  func help() {
    for key in RelayKey.allCases { #expect(RelayKey.help.contains { $0 == key.rawValue }) }
  }
}
