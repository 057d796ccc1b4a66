/// How much a decoder accepts before it looks at what the bytes mean.
package struct CBORLimits: Sendable, Hashable {
    /// How deep arrays, maps and tags may be nested: 1 is an array of numbers.
    package var depth: Int

    /// How many items there may be in all; arrays, maps, tags and map keys count as items.
    package var items: Int

    /// How many bytes there may be in all.
    package var bytes: Int

    /// The limits of the protocol are the defaults: 8 levels, 512 items, 64 KiB.
    package init(depth: Int = 8, items: Int = 512, bytes: Int = 65_536) {
        self.depth = depth
        self.items = items
        self.bytes = bytes
    }

    package static let `default` = CBORLimits()

    /// For bytes that we made ourselves.
    static let none = CBORLimits(depth: .max, items: .max, bytes: .max)
}
