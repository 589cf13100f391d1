import TelecapImpairment
import TelecapPlatform
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapText
import TelecapTransport
import TelecapWire

/// A relay on a page, from which its network can be changed.
public struct ShownRelay: Sendable {
  /// The title.
  let name: String
  /// The controller of the relay.
  let desk: RelayController
  /// The initial network.
  let network: RelayNetwork
  /// The protocols whose messages the relay can change.
  let protocols: [WireProtocol]
  /// The verdicts on the program after it; nil without a test.
  let verdicts: RelayVerdicts?
  /// Logs each change.
  let tell: @Sendable (String) -> Void

  /// A relay with this controller.
  public init(
    _ name: String, _ desk: RelayController, _ network: RelayNetwork, _ protocols: [WireProtocol],
    verdicts: RelayVerdicts? = nil, tell: @escaping @Sendable (String) -> Void
  ) {
    (self.name, self.desk, self.network, self.protocols, self.tell) = (name, desk, network, protocols, tell)
    self.verdicts = verdicts
  }
}

/// The page of a running relay.
final class RelaySite: PageSite {
  let feed: PageFeed? = PageFeed()
  let takesChanges = true
  private let relay: ShownRelay
  private let page: RelayPage
  private let history = Locked([RelayPicture.Sample]())
  private let began = ContinuousClock.now

  /// The number of stored samples, four a second.
  private static let kept = 240

  init(_ relay: ShownRelay, _ page: RelayPage) {
    (self.relay, self.page) = (relay, page)
  }

  /// The current network, or the initial one before the start.
  private var network: RelayNetwork { relay.desk.network ?? relay.network }

  func answer(_ parts: [String], _ query: [String: String]) async throws -> PageAnswer {
    guard parts == [""] else { return .problem(404, "There is no such page.") }
    let network = self.network
    // Before the first evaluation nothing was exercised.
    let standing = relay.verdicts.map { $0.standing ?? RelayStanding([], until: .zero, isFinal: false) }
    relay.verdicts?.ask()
    return PageAnswer(body: page.text(try await picture(), network.asked, network.way, standing))
  }

  /// Applies the network of a form.
  func change(_ parts: [String], _ form: [String: String]) async throws -> PageAnswer {
    guard parts == ["network"] else { return .problem(404, "There is nothing to change.") }
    if form.isEmpty { return .problem(400, "The form says nothing: name what the network is to do.") }
    do {
      let former = self.network
      let request = try RelayRequest(form, after: former.asked, networks: page.networks)
      let network = try RelayNetwork(
        up: request.way == .down ? .none : request.impairments, down: request.way == .up ? .none : request.impairments,
        seed: former.seed, relay.protocols, faults: former.faults)
      try await relay.desk.play(network)
      let words = request.impairments.asked.isEmpty ? "nothing is done any more" : "\(request.impairments)"
      let way = request.way == .both ? "" : ", \(request.way.rawValue) only"
      relay.tell("network changed: \(words)\(way)")
      feed?.tell("network changed")
      return PageAnswer(type: "text/plain; charset=utf-8", body: "changed: \(words)\(way)")
    } catch let error as RelayRequestProblem {
      return .problem(400, "\(error)")
    } catch let error as RelayDeskError {
      return .problem(503, "\(error)")
    }
  }

  /// Samples the relay's counters four times a second, and notifies pages of changes.
  func run(until stop: StopFlag) async {
    var last: RelayPicture.Sample?
    while !stop.isRaised {
      if feed?.isFollowed == true { relay.verdicts?.ask() }
      if let sample = try? await sample() {
        history.with { history in
          history.append(sample)
          if history.count > RelaySite.kept { history.removeFirst() }
        }
        // Also notify after a second without traffic, so that the curves continue.
        let isNew = last.map { $0.up != sample.up || $0.down != sample.down } ?? true
        if isNew || last.map({ sample.time.nanoseconds(since: $0.time) > 1_000_000_000 }) ?? true {
          last = sample
          feed?.tell("\(Numbers.grouped(sample.up.came + sample.down.came)) came")
        }
      }
      for _ in 0..<12 where !stop.isRaised { try? await Task.sleep(for: .milliseconds(20)) }
    }
    let standing = relay.verdicts?.standing.map { ": \($0.words)" } ?? ""
    feed?.tell("the relay ended\(standing)", isOver: true)
  }

  private func sample() async throws -> RelayPicture.Sample? {
    guard let routes = try await relay.desk.counts() else { return nil }
    func sum(_ way: KeyPath<RelayCounts, RelayWayCounts>) -> (came: Int, passed: Int) {
      routes.reduce((0, 0)) { ($0.0 + $1.counts[keyPath: way].came, $0.1 + $1.counts[keyPath: way].passedOn) }
    }
    let time = ContinuousClock.now - began
    return RelayPicture.Sample(
      time: Timestamp(
        nanoseconds: time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000),
      up: sum(\.up), down: sum(\.down))
  }

  private func picture() async throws -> RelayPicture? {
    guard let routes = try await relay.desk.counts() else { return nil }
    return RelayPicture(
      routes.map { route, counts in
        RelayPicture.Route(
          name: "\(route.spec.carrier.name) \(route.listen) to \(route.target)", ways: RelaySite.ways(counts))
      }, history: history.with { $0 })
  }

  private static func ways(_ counts: RelayCounts) -> [RelayPicture.Way] {
    guard let network = counts.network else { return [] }
    return [("to the server", counts.up, network.up), ("back to the clients", counts.down, network.down)].map {
      name, way, account in
      RelayPicture.Way(
        name: name,
        numbers: [("came", way.came), ("passed on", way.passedOn)]
          + (account.unit == .pieces
            ? []
            : [
              ("dropped", account.totals.dropped), ("duplicated", account.totals.duplicated),
              ("changed", account.totals.changed),
            ]) + [("on their way", account.waiting)],
        lines: account.rates.account(of: account.impairments).map(\.description))
    }
  }
}

extension RelayNetwork {
  fileprivate var way: RelayRequest.Way { up == down ? .both : up.asked.isEmpty ? .down : .up }
}
