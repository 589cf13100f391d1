/// The dependencies of targets, direct and transitive.
struct Reach {
  private let dependencies: [String: Set<String>]

  init(_ targets: [PackageTarget]) {
    dependencies = Dictionary(targets.map { ($0.name, $0.dependencies) }) { $0.union($1) }
  }

  /// Everything that `target` depends on in the end.
  func everything(of target: String) -> Set<String> {
    var found: Set<String> = []
    var open = dependencies[target] ?? []
    while let next = open.popFirst() {
      if found.insert(next).inserted { open.formUnion(dependencies[next] ?? []) }
    }
    return found
  }

  /// The targets that come to the room of a protocol and are not among its `users`: one sentence each.
  func violations(_ users: [String: Set<String>]) -> [String] {
    dependencies.keys.sorted().flatMap { target in
      everything(of: target).sorted().compactMap { room in
        guard let allowed = users[room], !allowed.contains(target) else { return nil }
        return "\(target) must not depend on \(room), the room of a protocol"
      }
    }
  }
}
