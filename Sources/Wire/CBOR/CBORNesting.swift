/// The arrays, maps and tags that have been announced and whose members are being read.
///
/// The innermost four stand in fields, because no message nests deeper: reading one allocates nothing for them.
struct CBORNesting {
    /// One of them.
    struct Container {
        /// Where its first byte stands.
        var start = 0

        /// How many members are still to come; keys and values count one each.
        var remaining = 0

        /// Where the key before stands; empty before the first.
        var lastKey = 0..<0

        var isMap = false

        /// Whether the next member is a key.
        var awaitsKey: Bool { isMap && remaining.isMultiple(of: 2) }
    }

    /// How many there are.
    private(set) var depth = 0

    /// The innermost; when there is none, it has no member left.
    var current = Container()

    private var second = Container()
    private var third = Container()
    private var fourth = Container()
    private var outer: [Container] = []

    @inline(__always)
    mutating func push(_ container: Container) {
        if depth > 0 { keepCurrent() }
        current = container
        depth += 1
    }

    @inline(__always)
    mutating func pop() {
        depth -= 1
        if depth > 0 { takeBackCurrent() }
    }

    private mutating func keepCurrent() {
        if depth >= 2 { keepSecond() }
        second = current
    }

    private mutating func keepSecond() {
        if depth >= 4 { outer.append(fourth) }
        if depth >= 3 { fourth = third }
        third = second
    }

    private mutating func takeBackCurrent() {
        current = second
        if depth >= 2 { second = third }
        if depth >= 3 { third = fourth }
        if depth >= 4 { fourth = outer.removeLast() }
    }
}
