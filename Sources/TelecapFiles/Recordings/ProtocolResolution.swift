import TelecapCapture
import TelecapRecording
import TelecapStore
import TelecapText
import TelecapWire

// Decides with which protocols and ports a recording is read. No other code decides it.
extension RecordingFiles {
  /// The recording at `path` with its protocols and ports: a capture's own, otherwise those of the program, with the
  /// numbers in a pcapng file. Requested ones have precedence and are stored nowhere: protocols of files, each of which
  /// replaces the one with its name, and the numbers of ports.
  ///
  /// - Parameter numbers: the requested port numbers, by the ports' ids.
  /// - Throws: `PortProblem`; `StoreError` if a capture cannot be read; any error of a declaration in it;
  ///   `FileError.isOutput`. A missing file is reported when it is opened.
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

  /// The capture at `path` that this process itself is recording, with ports of the program. Only SQLite may open the
  /// file: closing another descriptor of it would release the recording's locks (`CaptureFile.isSQLite`).
  public func recorded(into path: String, ports: Ports) -> Recording {
    Recording(
      place: .path(path), files: self, ports: ports, schema: schema, isAsMade: true, isKnownCapture: true)
  }

  /// Packets in memory, with ports of the program.
  public func recording(_ packets: PacketList, ports: Ports) -> Recording {
    Recording(place: .packets(packets), files: self, ports: ports, schema: schema, isAsMade: false)
  }

  /// Opens a capture with its own protocols.
  ///
  /// - Throws: `StoreError`; any error of a stored declaration.
  public func reader(_ path: String) throws -> CaptureReader { try CaptureReader(path: path, asMade(path).schema) }

  /// The capture at `path` with its own protocols and ports, without requested ones.
  func asMade(_ path: String) throws -> Recording {
    try recording(CaptureTerms(of: path, in: self, with: []), ports: [:])
  }

  /// The program's ports with the requested numbers.
  ///
  /// - Throws: `PortProblem.unknown`
  public func ports(_ numbers: [String: UInt16]) throws(PortProblem) -> Ports {
    try Ports(protocols).moved(to: numbers)
  }

  /// The same ports, checked to be usable for reading traffic.
  ///
  /// - Throws: `PortProblem`
  public func readingPorts(_ numbers: [String: UInt16]) throws(PortProblem) -> Ports {
    try discriminated(ports(numbers), numbers, of: nil)
  }

  /// The same for the file at `path`, which contains the numbers `told`; requested ones have precedence.
  func readingPorts(
    _ numbers: [String: UInt16], told: [String: UInt16], of path: String
  ) throws(PortProblem) -> Ports {
    if told.isEmpty { return try readingPorts(numbers) }
    tellStrange(told, protocols, of: path)
    return try discriminated(Ports(protocols).with(told).moved(to: numbers), numbers, of: path)
  }

  /// Logs the numbers in a file that no protocol here uses.
  private func tellStrange(_ told: [String: UInt16], _ protocols: [WireProtocol], of path: String) {
    guard let note = StrangePorts(told, protocols).note else { return }
    tell("\(path == "-" ? "standard input" : path): \(note)")
  }

  /// The port numbers in a file that is not a capture. An error of the file is reported when it is read.
  private func told(by path: String) -> [String: UInt16] {
    guard let reader = try? CaptureFileReader(path: path) else { return [:] }
    return reader.ports
  }

  private func recording(_ terms: CaptureTerms, ports numbers: [String: UInt16]) throws -> Recording {
    let made = Ports(terms.protocols).with(terms.numbers)
    if terms.isAsMade, numbers.isEmpty, let shared = shared(made, [:], of: nil) {
      // No recorder does so.
      throw StoreError.wrongValue(path: terms.path, table: "port", row: nil, "\(shared)")
    }
    let ports = try discriminated(made.moved(to: numbers, of: terms.path), numbers, of: terms.path)
    return Recording(
      place: .path(terms.path), files: self, ports: ports, schema: CaptureSchema(terms.protocols),
      isAsMade: terms.isAsMade && ports == made, isKnownCapture: true)
  }

  /// These ports, if they are distinct.
  private func discriminated(
    _ ports: Ports, _ numbers: [String: UInt16], of capture: String?
  ) throws(PortProblem) -> Ports {
    if let shared = shared(ports, numbers, of: capture) { throw shared }
    return ports
  }

  /// The reason why ports are not distinct: one of a file's protocol is also another's, two of one protocol are the
  /// same, or one was moved to a port where it is never recognised.
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

/// The protocols and ports of a capture: its own, and the requested ones that replace or supplement them.
private struct CaptureTerms {
  let files: RecordingFiles
  let path: String
  /// The protocols in the order in which the capture numbers their messages.
  private(set) var protocols: [WireProtocol] = []
  /// The numbers of their ports in the capture.
  private(set) var numbers: [String: UInt16]
  /// Whether they are the capture's own.
  private(set) var isAsMade = true

  init(of path: String, in files: RecordingFiles, with asked: [WireProtocol]) throws {
    (self.path, self.files) = (path, files)
    let reader = try CaptureReader(path: path, CaptureSchema([]))
    numbers = try reader.info().ports
    let declarations = try reader.declarations()
    // Format 1 has no declarations: such a capture was made with the built-in protocols.
    if declarations.isEmpty { protocols = files.builtIn }
    for declaration in declarations { try add(declaration, with: asked) }
    for one in asked where !protocols.contains(where: { $0 === one }) { try add(asked: one) }
  }

  private mutating func add(_ declaration: CaptureReader.Declaration, with asked: [WireProtocol]) throws {
    let loaded = files.protocols.first { $0.name == declaration.name }
    if let loaded, loaded.digest == declaration.digest || files.isBuiltIn(loaded) {
      protocols.append(loaded)
    } else if let loaded, asked.contains(where: { $0 === loaded }) {
      // Ports that were moved for the recording keep their numbers; the others are those of the file.
      let former = (try? read(declaration))?.ports ?? []
      for row in former where numbers[row.id] == row.standard { numbers[row.id] = nil }
      try add(asked: loaded)
    } else {
      protocols.append(try read(declaration))
    }
  }

  /// Adds a protocol that is not the capture's own, if it is compatible with the others.
  private mutating func add(asked one: WireProtocol) throws {
    _ = try files.read(one.declaration, "protocol \(one.name) beside \(path)", protocols)
    protocols.append(one)
    isAsMade = false
  }

  private func read(_ declaration: CaptureReader.Declaration) throws -> WireProtocol {
    try files.read(declaration.text, "\(path), protocol \(declaration.name.printable)", protocols)
  }
}
