import struct TelecapFiles.Recording
import TelecapPlatform
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapStore
import TelecapConformance
import TelecapText
import TelecapTransport
import TelecapWire

/// The pages of one capture. Data of the whole capture are read once in the background, all other data on request.
final class CaptureSite: PageSite {
  private let reader: CaptureReader
  /// A separate connection, so that a request for a packet does not wait for a filter.
  private let filtered: CaptureReader
  /// The page before the check for damage.
  private let plain: LivePage
  private let check = TableCheck()
  /// Whether the file of the capture is damaged.
  private let isBroken: Bool
  /// The time of the first packet.
  private let start: Timestamp
  private let reading: TimelineReading
  private let whatIf: WhatIfSite
  /// The plans with the effects of networks on its packets.
  private let plans: [WatchedPlan]
  private let file: WatchedFile?
  private let picture: Task<CapturePicture, any Error>
  /// Whether the picture, or its error, is available.
  private let isRead = Locked(false)
  /// The share that has been read for it, 0…1.
  private let share = Locked(0.0)
  /// The number of packets and the duration.
  private let size: (packets: Int, length: Nanoseconds)

  /// The number of lines on a page of the list.
  static let lines = 100
  /// The timeout of a filter, in s.
  static let timeout = 5

  /// - Parameters:
  ///   - options: the options with which a command reads the recording in the same way.
  ///   - plans: the plans with the effects of networks on its packets.
  ///   - file: the file of the capture; nil if there is none.
  ///   - isBroken: whether the file of the capture is damaged.
  ///   - tell: logs notes once the whole capture has been read.
  init(
    _ name: String, _ recording: Recording, _ reader: CaptureReader, _ page: LivePage, _ suites: Suites,
    options: [String] = [], plans: [WatchedPlan] = [], file: WatchedFile? = nil, isBroken: Bool = false,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    (self.reader, self.plans, self.file, self.isBroken) = (reader, plans, file, isBroken)
    filtered = try reader.another()
    plain = page
    whatIf = WhatIfSite(recording, path: name, suites, options: options)
    start = try reader.firstTime() ?? reader.info().started
    let last = try reader.lastNumbers().packet
    size = (reader.filter?.count ?? last, try reader.time(ofPacket: last)?.nanoseconds(since: start) ?? 0)
    let reading = TimelineReading(reader)
    self.reading = reading
    // A separate connection, so that requests do not wait for it.
    let background = try reader.another()
    let picture = Task.detached { [isRead, share] in
      defer { isRead.with { $0 = true } }
      return try CapturePicture(of: background, in: recording, named: name, drawing: plans.map { $0.drawn }) { done in
        share.with { $0 = done }
      }
    }
    self.picture = picture
    Task.detached { [check] in await check.run(background, named: name, behind: picture, tell: tell) }
  }

  deinit { picture.cancel() }

  var isDamaged: Bool { isBroken || check.hasFoundDamage }

  var unchecked: String? {
    check.isDone ? nil : "\(plain.name): it was not looked through to its end for damage: telecap info does that"
  }

  private var page: LivePage {
    var page = plain
    page.soundness = check.soundness
    page.changes = ([file?.notice] + plans.map(\.notice)).compactMap(\.self)
    return page
  }

  /// The duration in s, once the capture has been read.
  var length: Double { get async throws { Double(try await picture.value.timeline.grid.length) / 1e9 } }

  /// The answer to a path below the capture's address.
  func answer(_ parts: [String], _ query: [String: String]) async throws -> PageAnswer {
    do {
      return try await found(parts, query)
    } catch  where parts.count == 1 {
      // Users read it, so show it in the frame of all pages.
      let place = LivePage.Place(rawValue: parts[0].isEmpty ? "overview" : parts[0])
      return PageAnswer(status: 500, body: plain.problem("\(error)", at: place))
    }
  }

  func interrupt() { for reader in [reader, filtered] { reader.interrupt() } }

  private func found(_ parts: [String], _ query: [String: String]) async throws -> PageAnswer {
    switch parts {
    case [""]: try await whole(.overview) { PageAnswer(body: page.overview($0)) }
    case ["timeline"]: try await whole(.timeline) { try timeline($0, query) }
    case ["timeline", "figures"]:
      try await figures(of: picture.value, query)
    case ["what-if"]:
      try told {
        let (picture, request, whole) = try whatIf.picture(query)
        return page.whatIf(picture, request, roles: whatIf.roles, networks: whatIf.networkNames, whole: whole)
      }
    case ["what-if", "figures"]:
      try figures(query)
    case [TableCheck.address]: PageAnswer(body: try await check.result().notice)
    case ["packets"]: PageAnswer(body: page.packets(try await listed(query)))
    case ["packets", "rows"]: try await answer(listed(query)) { LivePage.rows($0) }
    case ["packets", "detail"]: try await answer(listed(query)) { LivePage.detail($0) }
    default: .problem(404, "There is no such page.")
    }
  }

  private func answer(_ list: PacketList, _ body: (PacketList) -> String) -> PageAnswer {
    list.problem.map { .problem(400, $0) } ?? PageAnswer(body: body(list))
  }

  /// A page, or an error page: a recording without packets to replay is not an error of the server.
  private func told(_ body: () throws -> String) throws -> PageAnswer {
    do {
      return PageAnswer(body: try body())
    } catch  where ExitStatus(of: error) != nil {
      return PageAnswer(body: page.problem("\(error)", at: .whatIf))
    }
  }

  private func figures(_ query: [String: String]) throws -> PageAnswer {
    do {
      return PageAnswer(body: LivePage.figures(try whatIf.picture(query).0))
    } catch  where ExitStatus(of: error) != nil {
      return .problem(400, "\(error)")
    }
  }

  // MARK: - Pages of the whole capture

  /// A page that needs the whole capture, or a page with the progress while it is read.
  private func whole(
    _ place: LivePage.Place, _ body: @Sendable (CapturePicture) throws -> PageAnswer
  ) async throws -> PageAnswer {
    if let picture = try await soon() { return try body(picture) }
    return PageAnswer(
      body: plain.waiting(at: place, packets: size.packets, length: size.length, share: share.with { $0 }))
  }

  /// The picture, if it is available within half a second. (Waiting for a task's value cannot be cancelled.)
  private func soon() async throws -> CapturePicture? {
    for _ in 0..<25 where !isRead.with({ $0 }) { try await Task.sleep(for: .milliseconds(20)) }
    return isRead.with { $0 } ? try await picture.value : nil
  }

  private func timeline(_ picture: CapturePicture, _ query: [String: String]) throws -> PageAnswer {
    // This reloads the plans, so their notices are on the page.
    let part = try part(picture, query)
    return PageAnswer(body: page.timeline(part, of: picture))
  }

  private func figures(of picture: CapturePicture, _ query: [String: String]) throws -> PageAnswer {
    PageAnswer(body: LivePage.figures(try part(picture, query), of: picture))
  }

  private func part(_ picture: CapturePicture, _ query: [String: String]) throws -> CaptureTimeline {
    let grid = CaptureSite.part(of: picture.timeline.grid, query)
    var part = try reading.part(grid, of: picture.timeline, picture.summary)
    part.runs = try zip(plans, picture.timeline.runs).map { try $0.part(grid, of: $1) }
    return part
  }

  /// The part of the time in a query, in the columns of a picture.
  static func part(of whole: TimeGrid, _ query: [String: String]) -> TimeGrid {
    func time(_ name: String) -> Timestamp? {
      query[name].flatMap(Double.init).map { whole.start.advanced(byNanoseconds: nanoseconds($0)) }
    }
    let first = max(whole.start, min(time("from") ?? whole.start, whole.end))
    let last = max(first, min(time("until") ?? whole.end, whole.end))
    return TimeGrid(
      start: first, length: max(1_000, last.nanoseconds(since: first)), columns: TimelineReading.drawn)
  }

  private static func nanoseconds(_ seconds: Double) -> Nanoseconds {
    seconds.isFinite ? Int64(max(-1e18, min(1e18, seconds * 1e9))) : 0
  }

  // MARK: - Packets

  /// A page of the list; runs in a separate thread, because a filter may take long.
  private func listed(_ query: [String: String]) async throws -> PacketList {
    let columns = try await columns()
    guard query["where"]?.isEmpty == false else { return try list(query, columns) }
    return try await Worker.run { [self] in try list(query, columns) }
  }

  /// The columns of the messages in the capture; all columns while it is being read.
  private func columns() async throws -> [String] {
    guard isRead.with({ $0 }), let types = try? await picture.value.summary.types, !types.isEmpty else {
      return reader.columns
    }
    let names = Set(types.map { "\($0.protocolName) \($0.type)" })
    return reader.schema.columns { names.contains("\($0.owner.name) \($0.name)") }
  }

  private func list(_ query: [String: String], _ columns: [String]) throws -> PacketList {
    var list = PacketList(condition: query["where"] ?? "", columns: columns)
    let condition = list.condition.isEmpty ? nil : list.condition
    let isNewest = query["newest"] != nil
    var selected = query["message"].flatMap { Int($0) }
    if selected == nil, let packet = query["packet"].flatMap({ Int($0) }) {
      selected = try reader.firstMessage(fromPacket: packet)
    }
    if selected == nil, let seconds = query["at"].flatMap(Double.init) {
      selected = try reader.firstMessage(since: start.advanced(byNanoseconds: CaptureSite.nanoseconds(seconds)))
    }
    let (page, ids, isFull): (PageStart, [Int], Bool)
    do {
      page =
        query["before"].flatMap { Int($0) }.map { .before($0) }
        ?? (isNewest ? .before(.max) : nil)
        ?? .after(query["after"].flatMap { Int($0) } ?? selected.map { max(0, $0.saturatingSubtracting(11)) } ?? 0)
      let found = try (condition == nil ? reader : filtered).messages(
        where: condition, page, most: CaptureSite.lines + 1, timeout: CaptureSite.timeout)
      isFull = found.count > CaptureSite.lines
      if case .before = page {
        ids = found.suffix(CaptureSite.lines)
      } else {
        ids = Array(found.prefix(CaptureSite.lines))
      }
    } catch let problem as StoreError {
      guard case .badCondition(_, let reason) = problem else { throw problem }
      list.problem = PacketList.problem(reason)
      return list
    }
    list.rows = try ids.compactMap(row)
    switch page {
    case .after(let id): (list.hasEarlier, list.hasLater) = (id > 0, isFull)
    case .before: (list.hasEarlier, list.hasLater) = (isFull, !isNewest)
    }
    if let id = selected ?? (isNewest ? ids.last : ids.first), let detail = try reader.detail(ofMessage: id) {
      list.selected = (id, detail)
    }
    return list
  }

  private func row(_ id: Int) throws -> PacketList.Row? {
    guard let message = try reader.message(id) else { return nil }
    let flow = try reader.flow(message.flow)
    return PacketList.Row(
      id: id, packet: message.packet, nanoseconds: message.time.nanoseconds(since: start), source: flow?.source ?? "",
      destination: flow?.destination ?? "", kind: message.kind, length: message.length, severity: message.severity,
      session: message.session, bytes: try reader.bytes(of: message))
  }
}
