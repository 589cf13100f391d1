import TelecapMouse
import TelecapTele
import TelecapWire

/// The list of all protocols.
public enum Protocols {
  /// Those that are written in Swift, in the order in which captures number their messages.
  public static let builtIn: [WireProtocol] = [Tele.wire, Mouse.wire]

  /// Whether it is one of those.
  public static func isBuiltIn(_ owner: WireProtocol) -> Bool { builtIn.contains { $0 === owner } }
}

extension Ports {
  /// The ports of the documents.
  public static let standard = Ports(Protocols.builtIn)
}
