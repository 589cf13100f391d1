import TelecapModels
import TelecapRecording
import TelecapWire

/// A peer that a script can drive in virtual time: beside what a peer does, it may be asked to do something by its user.
protocol DrivenPeer: Peer {
  /// Its user does something; returns the HID reports that it sends for it.
  mutating func ask(_ action: UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]]
}

extension DrivenPeer {
  mutating func ask(_ action: UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] { [] }
}

/// A peer without a wire: it does only what it is asked to.
protocol Device: DrivenPeer {}

extension Device {
  var nextWake: Timestamp? { nil }
  mutating func start(at time: Timestamp, _ perform: Perform) {}
  mutating func stop(at time: Timestamp, _ perform: Perform) {}
  mutating func advance(to time: Timestamp, _ perform: Perform) {}
  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {}
}

extension HostModel: DrivenPeer {}
extension HostStreamModel: DrivenPeer {}
extension PhoneModel: DrivenPeer {}
extension MouseHostModel: DrivenPeer {}

extension MouseModel: DrivenPeer {
  mutating func ask(_ action: UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    do throws(MouseError) {
      switch action {
      case .connect:
        opened(.udp, VirtualAddresses.host, at: time, perform)
        opened(.tcp, VirtualAddresses.host, at: time, perform)
      case .move(let deltaX, let deltaY, let scroll): try move(deltaX: deltaX, deltaY: deltaY, scroll: scroll, perform)
      case .press(let bitmap): try press(bitmap, perform)
      case .device: break
      case .report(let deltaX, let deltaY, let scroll, let buttons):
        return [Message.mouseReport(deltaX: deltaX, deltaY: deltaY, buttons: buttons, scroll: scroll).bytes]
      }
    } catch {
      perform(.event(.refused(error)), RawSpan())
    }
    return []
  }
}

/// Where the ends of a run in virtual time are: made-up addresses (RFC 5737).
enum VirtualAddresses {
  /// The host that a phone or a mouse under test talks to.
  static let host = Endpoint(IPAddress(v4: 0xc000_0201), port: 50_000)

  /// Where the peer is that a scenario calls by this name.
  static func endpoint(of peer: PeerName) -> Endpoint {
    guard peer != "host" else { return host }
    let number = peer.utf8.reduce(UInt32(0)) { ($0 &* 31 &+ UInt32($1)) & 0xfff }
    return Endpoint(IPAddress(v4: 0xc633_6400 | (number & 0xff)), port: 40_000 + UInt16(number))
  }
}
