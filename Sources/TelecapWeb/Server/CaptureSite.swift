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

/// The pages of one capture. It is read once in the background for what covers all of it; whatever else is looked at is read
/// when somebody looks.
final class CaptureSite: PageSite {
  private let reader: CaptureReader
  /// A connection of its own: whoever looks at a packet does not wait for somebody's filter.
  private let filtered: CaptureReader
  /// As it is before anything is known of damage.
  private let plain: LivePage
  private let check = TableCheck()
  /// The file that it is a capture of broke off.
  private let isBroken: Bool
  /// When its first packet came.
  private let start: Timestamp
  private let reading: TimelineReading
  private let whatIf: WhatIfSite
  /// What networks did to what was sent in it.
  private let plans: [WatchedPlan]
  private let file: WatchedFile?
  private let picture: Task<CapturePicture, any Error>
  /// The picture is there, or why it cannot be.
  private let isRead = Locked(false)
  /// How much of it has been read for that, 0…1.
  private let share = Locked(0.0)
  /// How many packets it has, and how long it is.
  private let size: (packets: Int, length: Nanoseconds)

  /// So many lines have a page of the list.
  static let lines = 100
  /// A filter that takes longer than so many seconds is given up.
  static let timeout = 5

  /// - Parameters:
  ///   - options: what a command has to be given so that it reads the recording in the same way.
  ///   - plans: what networks did to what was sent in it.
  ///   - file: the file that it is a capture of; nil where there is none.
  ///   - isBroken: whether the file that it is a capture of broke off.
  ///   - tell: is told what a person should know of it once all of it has been read.
  init(
    _ name: String, _ recording: Recording, _ reader: CaptureReader, _ page: LivePage, _ suites: Suites,
    options: [String] = [], plans: [WatchedPlan] = [], file: WatchedFile? = nil, isBroken: Bool = false,
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    (self.reader, self.plans, self.file, self.isBroken) = (reader, plans, file, isBroken)
    filtered = try reader.another()
    plain = page
    whatIf = WhatIfSite(recording, path: name, suites, options: options)
    start = try reader.time(ofPacket: 1) ?? reader.info().started
    let last = try reader.lastNumbers().packet
    size = (last, try reader.time(ofPacket: last)?.nanoseconds(since: start) ?? 0)
    let reading = TimelineReading(reader)
    self.reading = reading
    // A connection of its own: what is looked at meanwhile does not wait for it.
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

  /// How long it is, in s, once it has been read.
  var length: Double { get async throws { Double(try await picture.value.timeline.grid.length) / 1e9 } }

  /// The answer to what stands behind the capture's address.
  func answer(_ parts: [String], _ query: [String: String]) async throws -> PageAnswer {
    do {
      return try await found(parts, query)
    } catch  where parts.count == 1 {
      // A person reads it, in the frame of all pages.
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

  /// A page, or why there is none: a recording that holds nothing to send again is no error of the server.
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

  // MARK: - What covers the whole capture

  /// A page that needs the whole capture to be read; one that says so while it is.
  private func whole(
    _ place: LivePage.Place, _ body: @Sendable (CapturePicture) throws -> PageAnswer
  ) async throws -> PageAnswer {
    if let picture = try await soon() { return try body(picture) }
    return PageAnswer(
      body: plain.waiting(at: place, packets: size.packets, length: size.length, share: share.with { $0 }))
  }

  /// The picture, when it is there within half a second. (To wait for a task's value cannot be broken off.)
  private func soon() async throws -> CapturePicture? {
    for _ in 0..<25 where !isRead.with({ $0 }) { try await Task.sleep(for: .milliseconds(20)) }
    return isRead.with { $0 } ? try await picture.value : nil
  }

  private func timeline(_ picture: CapturePicture, _ query: [String: String]) throws -> PageAnswer {
    // The plans are looked at for it: what is to be known of them stands on the page.
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

  /// The part of the time that a query asks for, in the columns of a picture.
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

  /// A page of the list; on a thread of its own where a filter may take long.
  private func listed(_ query: [String: String]) async throws -> PacketList {
    let columns = try await columns()
    guard query["where"]?.isEmpty == false else { return try list(query, columns) }
    return try await Worker.run { [self] in try list(query, columns) }
  }

  /// The columns of the messages that it holds; all where it is not read yet.
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
