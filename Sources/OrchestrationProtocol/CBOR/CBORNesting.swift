/// The open arrays, maps and tags of a reader.
///
/// The innermost four are fields, because no message nests deeper. Reading a message does not allocate for them.
struct CBORNesting {
    /// An open array, map or tag.
    struct Container {
        /// The offset of the first byte.
        var start = 0

        /// The number of members that follow. A key and its value are two members.
        var remaining = 0

        /// The range of the previous key; empty before the first key.
        var lastKey = 0..<0

        var isMap = false

        /// Whether the next member is a key.
        var awaitsKey: Bool { isMap && remaining.isMultiple(of: 2) }
    }

    /// The number of open containers.
    private(set) var depth = 0

    /// The innermost container. Without one, it has no members left.
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
