import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

/// Timers that are not those of the rules: settings, for systems that are to be wrong.
@Suite struct TimerTests {
  @Test("A host ends its session after the set timeout")
  func aHostEndsItsSessionWhenItWasToldTo() throws {
    var settings = HostModel.Settings()
    settings.timeout = 2 * second
    var host = Driven(HostModel(settings))
    host.receive(try Message.hello(sessionID: 7, code: "ABC123"), from: phoneEnd)
    host.run(for: 2 * second - 1)
    #expect(host.peer.client == phoneEnd)
    host.run(for: 1)
    #expect(host.peer.client == nil)
  }

  @Test("A host sends haptics at the set rate")
  func aHostSendsHapticsAsOftenAsItWasToldTo() throws {
    var settings = HostModel.Settings(waveform: .constant(0.5))
    settings.hapticRate = 10
    var host = Driven(HostModel(settings))
    host.receive(try Message.hello(sessionID: 7, code: "ABC123"), from: phoneEnd)
    host.run(for: second - 1)
    #expect(host.drain().count { $0.kind == .haptic } == 10)
  }

  @Test("A host closes a connection without HELLO after the set timeout")
  func aConnectionWithoutHelloEndsWhenTheHostWasToldTo() throws {
    var settings = HostModel.Settings()
    settings.helloTimeout = second
    var host = Driven(try HostStreamModel(settings))
    host.act { $0.opened(.tcp, phoneEnd, at: $1, $2) }
    host.run(for: second - 1)
    #expect(host.disconnected == [])
    host.run(for: 1)
    #expect(host.disconnected == [phoneEnd])
  }

  @Test("A phone repeats HELLO at the set interval and loses its session after the set timeout")
  func aPhoneSaysHelloAndLosesItsSessionWhenItWasToldTo() throws {
    var settings = PhoneModel.Settings(host: hostEnd, code: "ABC123", sessionID: 7)
    settings.helloInterval = 1_500_000_000
    settings.timeout = second
    var phone = Driven(try PhoneModel(settings))
    phone.start()
    phone.receive(Message.ack(.ok), from: hostEnd)
    phone.run(for: second - 1)
    #expect(phone.peer.hasSession)
    phone.run(for: 1)
    #expect(!phone.peer.hasSession)
    phone.run(for: 5 * second)
    #expect(phone.drain().count { $0.kind == .hello } == 5)
  }
}
