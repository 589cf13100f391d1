import Foundation
import TelecapCapture
@testable import TelecapFiles
import TelecapStore
import TelecapTestSupport
import Testing

@Suite struct PlainFileTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func areSame(_ path: String, _ other: String) -> Bool {
    FilePlace(path).map { $0 == FilePlace(other) } ?? false
  }

  @Test("Text is read back unchanged, also in pieces and if it is not UTF-8")
  func text() throws {
    let long = String(repeating: "0123456789abcdef", count: 10_000)
    try Output.write(long, to: folder["long.txt"])
    #expect(try TextFile.read(folder["long.txt"]) == long)
    var pieces: [UInt8] = []
    var input = try FileInput(path: folder["long.txt"])
    while case let piece = try input.readPiece(), !piece.isEmpty { pieces += piece }
    #expect(pieces == Array(long.utf8))
    #expect(try TextFile.read(folder.write([0x61, 0xff], to: "broken")) == "a\u{fffd}")
  }

  @Test("The error for a missing file, or for a directory, names its path")
  func noInput() throws {
    let path = folder["none"]
    let missing = FileError.noInput(path: path, ErrnoError(number: 2))
    #expect(throws: missing) { try TextFile.read(path) }
    #expect(throws: missing) { _ = try FileInput(path: path) }
    #expect("\(missing)" == "\(path): No such file or directory" && missing.advice.isEmpty)
    #expect(throws: FileError.noInput(path: folder.path, ErrnoError(number: 21))) {
      try TextFile.bytes(folder.path)
    }
    // A dash is a file of that name here, not standard input.
    #expect(throws: FileError.noInput(path: "-", ErrnoError(number: 2))) { try TextFile.bytes("-") }
  }

  @Test("A file is replaced only with force, and then completely")
  func output() throws {
    let path = folder["out"]
    try Output.write("first, and longer", to: path, force: false)
    #expect(throws: FileError.exists(path: path)) { try Output.write("second", to: path, force: false) }
    #expect(FileError.exists(path: path).advice == "give another name, or --force to replace it")
    #expect(try TextFile.read(path) == "first, and longer")
    try Output.write("second", to: path, force: true)
    #expect(try TextFile.read(path) == "second")
    let nowhere = folder["no/such/folder"]
    #expect(throws: FileError.cannotCreate(path: nowhere, ErrnoError(number: 2))) {
      try Output.write("", to: nowhere)
    }
  }

  @Test(
    "A file is replaced when it is complete; an unfinished one leaves the old file and nothing else",
    arguments: [true, false])
  func finishing(_ isThere: Bool) throws {
    let path = folder["out"]
    if isThere { try Output.write("before", to: path) }
    func write(isFinished: Bool) throws {
      var output = try Output(path: path, force: isThere)
      try output.write([UInt8](repeating: 0x2e, count: 70_000))
      // The new file, and its lock.
      #expect(folder.names.count == (isThere ? 3 : 2))
      try output.line("end")
      if isFinished { try output.finish() } else { try output.flush() }
    }
    try write(isFinished: false)
    #expect(folder.names == (isThere ? ["out"] : []))
    if isThere { #expect(try TextFile.read(path) == "before") }
    try write(isFinished: true)
    #expect(try TextFile.bytes(path).count == 70_004 && folder.names == ["out"])
  }

  @Test("A file that another program made meanwhile stays, except with force")
  func meanwhile() throws {
    let path = folder["out"]
    var output = try Output(path: path, force: false)
    try Data("theirs".utf8).write(to: URL(filePath: path))
    do {
      try output.finish()
      Issue.record("it was replaced")
    } catch {
      #expect(error == .exists(path: path))
    }
    #expect(try TextFile.read(path) == "theirs")
  }

  @Test("Keeping a file succeeds while it is in its place, and fails once another one replaced it")
  func kept() throws {
    let file = try PendingFile(at: folder["out"], force: false)
    try file.keep()
    try file.keep()
    try FileManager.default.removeItem(atPath: folder["out"])
    try Data("theirs".utf8).write(to: URL(filePath: folder["other"]))
    try FileManager.default.moveItem(atPath: folder["other"], toPath: folder["out"])
    #expect(throws: FileError.gone(path: folder["out"])) { try file.keep() }
  }

  @Test("A link's target is replaced with its mode, and a pipe is written directly")
  func others() throws {
    try Output.write("before", to: folder["a"])
    #expect(chmod(folder["a"], 0o666) == 0)
    try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: "a")
    try Output.write("after", to: folder["link"])
    #expect(try TextFile.read(folder["a"]) == "after")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder["link"]) == "a")
    #expect(try FileManager.default.attributesOfItem(atPath: folder["a"])[.posixPermissions] as? Int == 0o666)
    try FileManager.default.createSymbolicLink(atPath: folder["dangling"], withDestinationPath: "nowhere/nothing")
    for force in [true, false] {
      #expect(throws: FileError.cannotCreate(path: folder["dangling"], ErrnoError(number: ENOENT))) {
        try Output.write("x", to: folder["dangling"], force: force)
      }
    }
    #expect(mkfifo(folder["pipe"], 0o600) == 0)
    let reader = open(folder["pipe"], O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try Output.write("through", to: folder["pipe"], force: false)
    var got = [UInt8](repeating: 0, count: 20)
    #expect(read(reader, &got, 20) == 7 && String(decoding: got.prefix(7), as: UTF8.self) == "through")
    #expect(folder.names == ["a", "dangling", "link", "pipe"])
  }

  private func rights(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder[name])[.posixPermissions] as? Int
  }

  @Test("A replaced file keeps its mode, also while it is written; a new one has the mode of the umask")
  func rights() throws {
    // The umask is the process's own, and other tests run at the same time.
    let file = open(folder["shell"], O_CREAT | O_WRONLY, 0o666)
    close(file)
    try Output.write("new", to: folder["new"], force: false)
    #expect(try rights("new") == rights("shell"))
    for mode in [0o600, 0o640, 0o444] {
      #expect(chmod(folder["new"], mode_t(mode)) == 0)
      var output = try Output(path: folder["new"], force: true)
      try output.line("secret")
      try output.flush()
      for name in folder.names where name.hasSuffix(".new") { #expect(try rights(name) == 0o600) }
      try output.finish()
      #expect(try rights("new") == mode)
    }
  }

  @Test("An output next to a capture with the name of SQLite's log is rejected")
  func logs() throws {
    let capture = folder["a.telecap"]
    let files = RecordingFiles.standard
    try files.importing(.packets(.session()), into: capture, force: false, ports: files.ports([:]))
    for suffix in ["-wal", "-shm", "-journal"] {
      let path = capture + suffix
      let reason = "SQLite keeps the log of the capture \(capture) there; give another name"
      for force in [true, false] {
        #expect(throws: FileError.capture(.cannotCreate(path: path, reason: reason))) {
          try Output.write("x", to: path, force: force)
        }
      }
      try Data("log".utf8).write(to: URL(filePath: path))
      #expect(throws: FileError.capture(.cannotCreate(path: path, reason: reason))) { try Output.write("x", to: path) }
      #expect(try [UInt8](file: path) == Array("log".utf8))
      try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: path)
      #expect(throws: FileError.capture(.cannotCreate(path: folder["link"], reason: reason))) {
        try Output.write("x", to: folder["link"])
      }
      try FileManager.default.removeItem(atPath: folder["link"])
      try FileManager.default.removeItem(atPath: path)
    }
    _ = try folder.write(Array("no capture".utf8), to: "notes")
    try Output.write("x", to: folder["notes-journal"])
    // A capture that comes to be while its log's place is being written.
    var output = try Output(path: folder["b.telecap-wal"], force: false)
    try FileManager.default.copyItem(atPath: capture, toPath: folder["b.telecap"])
    do {
      try output.finish()
      Issue.record("it took the place of a log")
    } catch {
      #expect("\(error)".contains("SQLite keeps the log of the capture"))
    }
  }

  @Test("The old report is removed when the next one begins, which appears when it is complete")
  func former() throws {
    try Output.write("before", to: folder["out"])
    do {
      let file = try PendingFile(at: folder["out"], force: true)
      try file.removeFormer()
      #expect(!Folders.exists(folder["out"]))
    }
    #expect(folder.names.isEmpty)
    let file = try PendingFile(at: folder["out"], force: true)
    try file.removeFormer()
    var output = try Output(file)
    try output.line("after")
    try output.finish()
    #expect(folder.names == ["out"])
    #expect(try TextFile.read(folder["out"]) == "after\n")
  }

  @Test("A folder as output is an error before anything is done, with and without force", arguments: [true, false])
  func folderAsOutput(_ force: Bool) {
    for refused in [
      { try PendingFile.check(folder.path, force: force) }, { _ = try PendingFile(at: folder.path, force: force) },
    ] {
      #expect {
        try refused()
      } throws: {
        if case FileError.cannotCreate(let path, let reason) = $0 {
          path == folder.path && reason.number == EISDIR
        } else {
          false
        }
      }
    }
  }

  @Test("An unfinished report through a link leaves the link, and an empty target")
  func formerByLink() throws {
    try Output.write("before", to: folder["target"])
    try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: "target")
    for _ in 1...2 {
      let file = try PendingFile(at: folder["link"], force: true)
      try file.removeFormer()
    }
    #expect(folder.names == ["link", "target"])
    #expect(try TextFile.read(folder["link"]) == "")
  }

  @Test("A temporary file has a path, and is removed afterwards with SQLite's files next to it")
  func temporary() throws {
    struct Stop: Error {}
    var place = ""
    try TemporaryFile.with(suffix: ".telecap") { path in
      place = path
      for suffix in ["", "-wal", "-shm"] { try Output.write("x", to: path + suffix) }
      #expect(path.hasSuffix("/work.telecap"))
    }
    #expect(!Folders.exists(place) && !Folders.exists(String(place.dropLast("/work.telecap".count))))
    #expect(throws: Stop.self) {
      try TemporaryFile.with(suffix: ".txt") { path in
        place = path
        try Output.write("x", to: path)
        throw Stop()
      }
    }
    #expect(!Folders.exists(place))
  }

  @Test("Paths name the same file through links and other spellings, existing or not")
  func sameFile() throws {
    try Output.write("", to: folder["a"])
    try Output.write("", to: folder["b"])
    try Folders.create(folder["c"])
    try FileManager.default.linkItem(atPath: folder["a"], toPath: folder["hard"])
    try FileManager.default.createSymbolicLink(atPath: folder["soft"], withDestinationPath: "a")
    for other in ["a", "c/../a", "hard", "soft", "./a"] { #expect(areSame(folder["a"], folder[other])) }
    for other in ["b", "new"] { #expect(!areSame(folder["a"], folder[other])) }
    for other in ["new", "c/../new", "c//../new"] { #expect(areSame(folder["new"], folder[other])) }
    for other in ["newer", "c/new", "none/new"] { #expect(!areSame(folder["new"], folder[other])) }
    #expect(areSame("new", "./new") && !areSame("/dev/null", "/dev/null"))
  }

  @Test("A folder lists its names except hidden ones, and is made if it is missing")
  func folders() throws {
    for name in ["b.yaml", "a.txt", ".hidden"] { try Output.write("", to: folder[name]) }
    #expect(try Folders.names(in: folder.path).sorted() == ["a.txt", "b.yaml"])
    #expect(throws: FileError.noInput(path: folder["x"], ErrnoError(number: 2))) {
      try Folders.names(in: folder["x"])
    }
    #expect(!Folders.isFolder(folder["x"]) && !Folders.isFolder(folder["a.txt"]))
    try Folders.create(folder["x"])
    try Folders.create(folder["x"])
    #expect(Folders.isFolder(folder["x"]))
    #expect(throws: FileError.cannotMakeFolder(path: "/dev/null/x", ErrnoError(number: 20))) {
      try Folders.create("/dev/null/x")
    }
  }
}
