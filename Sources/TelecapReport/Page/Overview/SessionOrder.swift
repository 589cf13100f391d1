import TelecapRecording

/// The sessions of a capture by their clients, each client's in the order in which they opened.
struct SessionOrder {
  private struct Client: Hashable {
    let protocolName: String
    let client: IPAddress
    let server: IPAddress

    init(_ session: Session) {
      (protocolName, client, server) = (session.protocolName, session.client.address, session.server.address)
    }
  }

  private let sessions: [Client: [Session]]

  init(_ sessions: some Sequence<Session>) {
    self.sessions = Dictionary(grouping: sessions, by: Client.init).mapValues { all in
      all.enumerated().sorted { ($0.element.opened, $0.offset) < ($1.element.opened, $1.offset) }.map(\.element)
    }
  }

  /// The first session of the same client that opened after this one was over; nil where there is none.
  func next(after session: Session) -> Session? {
    let all = sessions[Client(session)] ?? []
    // The first that opened late enough, by halves.
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].opened < session.lastSeen { low = middle + 1 } else { high = middle }
    }
    return all[low...].first { $0.id != session.id }
  }
}
