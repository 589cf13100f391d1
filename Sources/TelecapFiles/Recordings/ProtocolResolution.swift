import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapText
import TelecapWire

// By which protocols and ports a recording is read: decided here and nowhere else.
extension RecordingFiles {
  /// The recording at `path`, by the protocols and ports that it is read by: a capture's own, any other recording's those of
  /// the program, with the numbers that a pcapng file says it was recorded with. What was asked for counts before them and is written nowhere: the protocols of files, each in the place
  /// of the one of its name, and the numbers of ports.
  ///
  /// - Parameter numbers: the ports' numbers that were asked for, by their ids.
  /// - Throws: `PortProblem`; `StoreError` when a capture cannot be read; what is wrong with a declaration in it;
  ///   `FileError.isOutput`. A file that is not there is told when it is opened.
  public func recording(_ path: String, ports numbers: [String: UInt16] = [:]) throws -> Recording {
    try FileError.refuseOutput(path)
    guard (try? isCapture(path)) == true else {
      let isStream = RecordingPlace.isStream(path)
      return Recording(
        place: .path(path), files: self,
        ports: try readingPorts(numbers, told: isStream ? [:] : told(by: path), of: path),
        schema: schema, isAsMade: false, asked: isStream ? numbers : nil)
    }
    let terms = try CaptureTerms(of: path, in: self, with: declared)
    tellStrange(terms.numbers, terms.protocols, of: path)
    return try recording(terms, ports: numbers)
  }

  /// The capture at `path` that this process itself is recording, by ports of the program. The file is opened by SQLite alone:
  /// anybody else who closes it takes the recording's locks away (`CaptureFile.isSQLite`).
  public func recorded(into path: String, ports: Ports) -> Recording {
    Recording(
      place: .path(path), files: self, ports: ports, schema: schema, isAsMade: true, isKnownCapture: true)
  }

  /// Packets in memory, by ports of the program.
  public func recording(_ packets: PacketList, ports: Ports) -> Recording {
    Recording(place: .packets(packets), files: self, ports: ports, schema: schema, isAsMade: false)
  }

  /// Opens a capture, with the protocols that it was made with.
  ///
  /// - Throws: `StoreError`; what is wrong with a stored declaration.
  public func reader(_ path: String) throws -> CaptureReader { try CaptureReader(path: path, asMade(path).schema) }

  /// The capture at `path` by the protocols and ports that it was made with, whatever was asked for.
  func asMade(_ path: String) throws -> Recording {
    try recording(CaptureTerms(of: path, in: self, with: []), ports: [:])
  }

  /// The program's ports, with the numbers that were asked for.
  ///
  /// - Throws: `PortProblem.unknown`
  public func ports(_ numbers: [String: UInt16]) throws(PortProblem) -> Ports {
    try Ports(protocols).moved(to: numbers)
  }

  /// The same ports, by which traffic can be read.
  ///
  /// - Throws: `PortProblem`
  public func readingPorts(_ numbers: [String: UInt16]) throws(PortProblem) -> Ports {
    try discriminated(ports(numbers), numbers, of: nil)
  }

  /// The same for the file at `path`, which says that it was recorded with the numbers `told`; what was asked for counts before.
  func readingPorts(
    _ numbers: [String: UInt16], told: [String: UInt16], of path: String
  ) throws(PortProblem) -> Ports {
    if told.isEmpty { return try readingPorts(numbers) }
    tellStrange(told, protocols, of: path)
    return try discriminated(Ports(protocols).with(told).moved(to: numbers), numbers, of: path)
  }

  /// Tells of the numbers that a file says and nobody here has a use for.
  private func tellStrange(_ told: [String: UInt16], _ protocols: [WireProtocol], of path: String) {
    guard let note = StrangePorts(told, protocols).note else { return }
    tell("\(path == "-" ? "standard input" : path): \(note)")
  }

  /// What a file that is no capture says of its ports; what is wrong with the file is told when it is read.
  private func told(by path: String) -> [String: UInt16] {
    guard let reader = try? CaptureFileReader(path: path) else { return [:] }
    return reader.ports
  }

  private func recording(_ terms: CaptureTerms, ports numbers: [String: UInt16]) throws -> Recording {
    let made = Ports(terms.protocols).with(terms.numbers)
    if terms.isAsMade, numbers.isEmpty, let shared = shared(made, [:], of: nil) {
      // Nothing records so.
      throw StoreError.wrongValue(path: terms.path, table: "port", row: nil, "\(shared)")
    }
    let ports = try discriminated(made.moved(to: numbers, of: terms.path), numbers, of: terms.path)
    return Recording(
      place: .path(terms.path), files: self, ports: ports, schema: CaptureSchema(terms.protocols),
      isAsMade: terms.isAsMade && ports == made, isKnownCapture: true)
  }

  /// These ports, where they can be told apart.
  private func discriminated(
    _ ports: Ports, _ numbers: [String: UInt16], of capture: String?
  ) throws(PortProblem) -> Ports {
    if let shared = shared(ports, numbers, of: capture) { throw shared }
    return ports
  }

  /// Why ports cannot be told apart: one of a file's protocol is another's too, two of one protocol are the same, or one was moved
  /// to where it is never looked for.
  private func shared(_ ports: Ports, _ numbers: [String: UInt16], of capture: String?) -> PortProblem? {
    func isMoved(_ entry: Ports.Entry) -> Bool { numbers[entry.row.id] != nil }
    func isOfOne(_ entries: [Ports.Entry]) -> Bool { entries[0].dialect.owner === entries[1].dialect.owner }
    let clash = ports.clashes.first { entries in
      isMoved(entries[1]) || isOfOne(entries) || entries.contains { !isBuiltIn($0.dialect.owner) }
    }
    guard let clash else { return nil }
    return .shared(
      port: "\(clash[0].row.carrier.name.uppercased()) port \(clash[0].number)",
      by: clash.map { isOfOne(clash) ? $0.row.id : $0.dialect.protocolName },
      id: (clash.last(where: isMoved) ?? clash[1]).row.id, capture: capture)
  }

  fileprivate func isBuiltIn(_ one: WireProtocol) -> Bool { builtIn.contains { $0 === one } }
}

/// What a capture is read by: what it was made with, and what was asked for in its place or beside it.
private struct CaptureTerms {
  let files: RecordingFiles
  let path: String
  /// In the order in which the capture numbers their messages.
  private(set) var protocols: [WireProtocol] = []
  /// The numbers of their ports in the capture.
  private(set) var numbers: [String: UInt16]
  /// They are what it was made with.
  private(set) var isAsMade = true

  init(of path: String, in files: RecordingFiles, with asked: [WireProtocol]) throws {
    (self.path, self.files) = (path, files)
    let reader = try CaptureReader(path: path, CaptureSchema([]))
    numbers = try reader.info().ports
    let declarations = try reader.declarations()
    // Format 1 keeps none: such a capture was made with those that are written in Swift.
    if declarations.isEmpty { protocols = files.builtIn }
    for declaration in declarations { try add(declaration, with: asked) }
    for one in asked where !protocols.contains(where: { $0 === one }) { try add(asked: one) }
  }

  private mutating func add(_ declaration: CaptureReader.Declaration, with asked: [WireProtocol]) throws {
    let loaded = files.protocols.first { $0.name == declaration.name }
    if let loaded, loaded.digest == declaration.digest || files.isBuiltIn(loaded) {
      protocols.append(loaded)
    } else if let loaded, asked.contains(where: { $0 === loaded }) {
      // What was moved when it was recorded stays where it is; the other ports are the file's.
      let former = (try? read(declaration))?.ports ?? []
      for row in former where numbers[row.id] == row.standard { numbers[row.id] = nil }
      try add(asked: loaded)
    } else {
      protocols.append(try read(declaration))
    }
  }

  /// Adds a protocol that it was not made with, if it gets along with the others.
  private mutating func add(asked one: WireProtocol) throws {
    _ = try files.read(one.declaration, "protocol \(one.name) beside \(path)", protocols)
    protocols.append(one)
    isAsMade = false
  }

  private func read(_ declaration: CaptureReader.Declaration) throws -> WireProtocol {
    try files.read(declaration.text, "\(path), protocol \(declaration.name.printable)", protocols)
  }
}
