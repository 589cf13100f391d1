import Foundation
import TelecapTestSupport
import Testing

extension WallClockSuites {
  /// `telecap senses --capture FILE --follow` beside the recording that it follows.
  @Suite("senses of a living session", .enabled(if: isRoot, "capturing needs root"))
  struct LiveSensesTests {
    private let folder: Folder
    private let talk: Talk
    private var capture: String { folder["session.telecap"] }

    init() throws {
      folder = try Folder()
      talk = try Talk()
    }

    private func record() throws -> Running {
      let program = try Program.start(["record", "-o", capture] + talk.options)
      try program.wait(for: "recording \(loopback)")
      return program
    }

    private func senses(_ more: [String] = []) -> [String] { ["senses", "--capture", capture] + talk.options + more }

    /// How many poses it has told.
    private func poses(_ program: Running) -> Int { program.output.split(separator: "\n").count }

    @Test(
      "What comes is told while it is recorded, and in all what the finished capture says",
      arguments: [[], ["--loss", "30%", "--jitter", "20ms", "--seed", "3"]])
    func whatComesIsToldWhileItIsRecordedAndInAllWhatTheFinishedCaptureSays(network: [String]) throws {
      let recording = try record()
      let following = try Program.start(senses(["--follow"] + network))
      try talk.send([Bytes.hello] + (1...20).map { Bytes.pose($0) })
      try following.wait("for the first poses") { poses(following) > 0 }
      let first = poses(following)
      try talk.send((21...60).map { Bytes.pose($0) })
      try following.wait("for more poses") { poses(following) > first }
      recording.signal(SIGINT)
      #expect(try recording.finish().status == 0)
      let end = try following.finish()
      #expect(end.status == 0, "\(end.errors)")
      let finished = try Program.run(senses(network))
      #expect(end.output == finished.output && end.errors.contains("POSE: "))
      #expect(network.isEmpty == (poses(following) == 60))
    }

    @Test("Ctrl-C ends it and writes the files, while the recording goes on")
    func ctrlCEndsItAndWritesTheFilesWhileTheRecordingGoesOn() throws {
      let recording = try record()
      let following = try Program.start(
        senses(["--follow", "--wav", folder["heard.wav"], "--svg", folder["live.svg"]]))
      try talk.send([Bytes.hello] + (1...20).map { Bytes.pose($0) })
      try following.wait("for the first poses") { poses(following) > 0 }
      following.signal(SIGINT)
      let end = try following.finish()
      #expect(end.status == 0 && poses(following) == 20, "\(end.errors)")
      #expect(Set(folder.names).isSuperset(of: ["heard.wav", "live.svg"]))
      recording.signal(SIGINT)
      #expect(try recording.finish().status == 0)
    }

    @Test("A recording in which nothing opens a session is said to be one when it ends")
    func aRecordingInWhichNothingOpensASessionIsSaidToBeOneWhenItEnds() throws {
      let recording = try record()
      let following = try Program.start(senses(["--follow"]))
      try talk.send([Bytes.pose(1)])
      recording.signal(SIGINT)
      #expect(try recording.finish().status == 0)
      let end = try following.finish()
      #expect(end.status == 65 && end.errors.contains("no session opened"), "\(end.errors)")
    }

    @Test("A finished recording is told at once")
    func aFinishedRecordingIsToldAtOnce() throws {
      let finished = Project.file("Captures/teleoperation.pcapng").path
      let end = try Program.run(["senses", "--capture", finished, "--follow"])
      #expect(end.status == 0 && end.lines.count == 123)
    }
  }
}
