import TelecapConformance
import TelecapFiles
import TelecapSuites
import TelecapText
import TelecapTransport
import TelecapWire

/// The system under test that a person names: `models`, `model:ROLE+FAULT`, `udp://HOST:PORT?role=host`, or a system
/// file.
public struct SystemChoice {
  /// The system.
  public let system: any SystemUnderTest
  /// Whether it runs on the wall clock.
  public let isOnWallClock: Bool
  /// Ends all runs when it is raised.
  let stop: StopFlag

  /// The system named `text`, with a part of one of these suites; runs on the wall clock end when `stop` is raised.
  ///
  /// - Parameter inSuite: whether a suite repeats cases for which the machine was too busy.
  /// - Throws: `SystemNameError` for an unknown name; `FileError` or `YAMLFileError` for its file;
  ///   `ReplayProblem.noSystem` for any other text.
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

  /// A program with an inferred system file, which is at `path`.
  public init(_ learned: LearnedFile, named path: String, _ suites: Suites, stop: StopFlag) {
    self.stop = stop
    var file = learned.file
    (file.file, file.name) = (path, path)
    let sessions = (try? suites.check(of: file)) ?? []
    system = ProgramSystem(
      file, directory: learned.folder, telecap: Paths.ownProgram, sessions: sessions, stop: stop, repeats: 0)
    isOnWallClock = true
  }

  /// Whether the system named `text` runs on the wall clock: all except our models do.
  public static func isOnWallClock(_ text: String) -> Bool { text != EveryModel.name && !text.hasPrefix("model:") }
}
