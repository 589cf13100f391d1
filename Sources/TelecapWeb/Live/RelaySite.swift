import TelecapImpairment
import TelecapPlatform
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapText
import TelecapTransport
import TelecapWire

/// A relay that is shown, and whose network is changed from its page.
public struct ShownRelay: Sendable {
  /// What it is called.
  let name: String
  /// From where it is looked at and changed.
  let desk: RelayController
  /// The network that it begins with.
  let network: RelayNetwork
  /// The protocols whose messages it can change.
  let protocols: [WireProtocol]
  /// What the program behind it comes to; nil where none is judged.
  let verdicts: RelayVerdicts?
  /// Is told of each change.
  let tell: @Sendable (String) -> Void

  /// The relay of this desk.
  public init(
    _ name: String, _ desk: RelayController, _ network: RelayNetwork, _ protocols: [WireProtocol],
    verdicts: RelayVerdicts? = nil, tell: @escaping @Sendable (String) -> Void
  ) {
    (self.name, self.desk, self.network, self.protocols, self.tell) = (name, desk, network, protocols, tell)
    self.verdicts = verdicts
  }
}

/// The page of a relay that runs.
final class RelaySite: PageSite {
  let feed: PageFeed? = PageFeed()
  let takesChanges = true
  private let relay: ShownRelay
  private let page: RelayPage
  private let history = Locked([RelayPicture.Sample]())
  private let began = ContinuousClock.now

  /// So many moments are kept, four a second.
  private static let kept = 240

  init(_ relay: ShownRelay, _ page: RelayPage) {
    (self.relay, self.page) = (relay, page)
  }

  /// The network that it plays, or is to begin with.
  private var network: RelayNetwork { relay.desk.network ?? relay.network }

  func answer(_ parts: [String], _ query: [String: String]) async throws -> PageAnswer {
    guard parts == [""] else { return .problem(404, "There is no such page.") }
    let network = self.network
    // Before the first look nothing was tried.
    let standing = relay.verdicts.map { $0.standing ?? RelayStanding([], until: .zero, isFinal: false) }
    relay.verdicts?.ask()
    return PageAnswer(body: page.text(try await picture(), network.asked, network.way, standing))
  }

  /// Plays the network that a form asks for.
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

  /// Looks four times a second what it has done, and tells of it while something happens.
  func run(until stop: StopFlag) async {
    var last: RelayPicture.Sample?
    while !stop.isRaised {
      if feed?.isFollowed == true { relay.verdicts?.ask() }
      if let sample = try? await sample() {
        history.with { history in
          history.append(sample)
          if history.count > RelaySite.kept { history.removeFirst() }
        }
        // The curves go on also where nothing comes: a second without anything is told.
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
