import TelecapConformance
import TelecapFiles
import TelecapSuites
import TelecapText
import TelecapTransport
import TelecapWire

/// Which system a person names: `models`, `model:ROLE+FAULT`, `udp://HOST:PORT?role=host`, or a system file.
public struct SystemChoice {
  /// The system.
  public let system: any SystemUnderTest
  /// It runs on the wall clock, one case after the other, and each takes its real time.
  public let isOnWallClock: Bool
  /// When it is raised, everything that runs ends.
  let stop: StopFlag

  /// The system that `text` names, whose part is of one of these suites; what runs on the wall clock ends when `stop` is
  /// raised.
  ///
  /// - Parameter inSuite: a suite sees to what the machine was too busy for.
  /// - Throws: `SystemNameError` where it names none; `FileError` or `YAMLFileError` where its file is wrong;
  ///   `ReplayProblem.noSystem` where it is nothing of these.
  public init(_ text: String, _ suites: Suites, stop: StopFlag, inSuite: Bool = false) throws {
    self.stop = stop
    isOnWallClock = SystemChoice.isOnWallClock(text)
    if text == EveryModel.name {
      system = EveryModel(suites)
    } else if text.hasPrefix("model:") {
      system = try ModelSystem(parsing: text, in: suites)
    } else if text.hasPrefix("udp://") {
      system = try WireSystem(parsing: text, among: suites.parts.compactMap(\.role), stop: stop)
    } else if text.hasEnding(".yaml") || text.hasEnding(".yml") {
      let file = try SystemFile(try TextFile.read(text), file: text, suites: suites)
      let sessions = try suites.check(of: file)
      let directory = Paths.directory(of: text)
      if file.part.program != nil {
        system = DeviceSystem(file, directory: directory, telecap: Paths.ownProgram, sessions: sessions, stop: stop)
      } else {
        system = ProgramSystem(
          file, directory: directory, telecap: Paths.ownProgram, sessions: sessions, stop: stop,
          repeats: inSuite ? 0 : ProgramSystem.repeats)
      }
    } else {
      throw ReplayProblem.noSystem(text)
    }
  }

  /// The program that was tried, by its file, which is at `path`.
  public init(_ learned: LearnedFile, named path: String, _ suites: Suites, stop: StopFlag) {
    self.stop = stop
    var file = learned.file
    (file.file, file.name) = (path, path)
    let sessions = (try? suites.check(of: file)) ?? []
    system = ProgramSystem(
      file, directory: learned.folder, telecap: Paths.ownProgram, sessions: sessions, stop: stop, repeats: 0)
    isOnWallClock = true
  }

  /// Whether what `text` names would run on the wall clock: all but our models do.
  public static func isOnWallClock(_ text: String) -> Bool { text != EveryModel.name && !text.hasPrefix("model:") }
}
