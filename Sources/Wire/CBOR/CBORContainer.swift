/// An array, map or tag that has been announced and whose members are being read.
struct CBORContainer {
    let isMap: Bool

    /// Where its first byte stands.
    let start: Int

    /// How many members are still to come; keys and values count one each.
    var remaining: Int

    /// Where the key before stands.
    var lastKey: Range<Int>?

    init(isMap: Bool, start: Int, remaining: Int) {
        self.isMap = isMap
        self.start = start
        self.remaining = remaining
    }

    /// Whether the next member is a key.
    var awaitsKey: Bool { isMap && remaining.isMultiple(of: 2) }
}
