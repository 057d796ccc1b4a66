/// Collects the pairs of a map and writes them in the order that deterministic encoding asks for.
package struct CBORMap {
    private var pairs: [(key: [UInt8], value: [UInt8])] = []

    package init() {}

    package var count: Int { pairs.count }

    /// Adds a pair under an integer. A key may be set once.
    package mutating func set(_ key: Int64, _ value: (inout CBORWriter) -> Void) {
        var writer = CBORWriter()
        writer.integer(key)
        set(key: writer.finish(), value)
    }

    /// Adds a pair under a text. A key may be set once.
    package mutating func set(_ key: String, _ value: (inout CBORWriter) -> Void) {
        var writer = CBORWriter()
        writer.text(key)
        set(key: writer.finish(), value)
    }

    /// Adds a pair under an encoded key. A key may be set once.
    package mutating func set(key: [UInt8], _ value: (inout CBORWriter) -> Void) {
        precondition(!pairs.contains { $0.key == key }, "a key is set twice")
        var writer = CBORWriter()
        value(&writer)
        pairs.append((key, writer.finish()))
    }

    /// Writes the map, keys in bytewise order of their encodings.
    package func write(to output: inout some CBOROutput) {
        output.map(pairs.count)
        for pair in pairs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            output.encoded(pair.key)
            output.encoded(pair.value)
        }
    }
}
