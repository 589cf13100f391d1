/// A list of impairments. Everything that reads, shows or applies impairments uses such a list.
public struct ImpairmentList: Sendable {
  /// All impairments of telecap, in the order of help.
  public static let all = ImpairmentList([
    Loss.self,
    Delay.self,
    Reorder.self,
    Duplicate.self,
    Corrupt.self,
    Hostile.self,
    SetFields.self,
    Rate.self,
    Stall.self,
  ])

  /// The impairments in the order of help.
  public let types: [any Impairment.Type]
  /// The impairments in the order of application.
  public let inOrder: [any Impairment.Type]
  /// Their names by their numbers.
  private let names: [String?]

  /// A list of these impairments. Traps if two have the same number, name, place or option.
  public init(_ types: [any Impairment.Type]) {
    precondition(Set(types.map { $0.id }).count == types.count, "two impairments of one number")
    precondition(Set(types.map { $0.name }).count == types.count, "two impairments of one name")
    precondition(Set(types.map { $0.place }).count == types.count, "two impairments at one place")
    let options = types.flatMap { $0.options }.map(\.name)
    precondition(Set(options).count == options.count, "two options of one name")
    self.types = types
    inOrder = types.sorted { $0.place < $1.place }
    var names = [String?](repeating: nil, count: Int(types.map { $0.id.number }.max() ?? 0) + 1)
    for type in types { names[Int(type.id.number)] = type.name }
    self.names = names
  }

  /// All options, in the order of help.
  public var options: [ImpairmentOption] { types.flatMap { $0.options } }

  /// All options, in the order of application.
  public var optionsInOrder: [ImpairmentOption] { inOrder.flatMap { $0.options } }

  /// The name of the impairment with this number; nil if it is not in the list.
  public func name(of id: ImpairmentID) -> String? {
    names.indices.contains(Int(id.number)) ? names[Int(id.number)] : nil
  }

  /// The impairment with this name; nil if it is not in the list.
  public func id(named name: String) -> ImpairmentID? { types.first { $0.name == name }?.id }
}
