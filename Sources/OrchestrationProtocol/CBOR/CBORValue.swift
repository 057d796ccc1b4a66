/// An item of the subset as a value, for headers, tools and tests. Messages are read and written without it.
package enum CBORValue: Sendable {
    case unsigned(UInt64)
    /// The integer -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    indirect case tagged(UInt64, CBORValue)
    case boolean(Bool)
    case null

    /// Returns an integer of either sign.
    package static func integer(_ value: Int64) -> CBORValue {
        value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(bitPattern: ~value))
    }

    /// The value as an integer, or `nil` if it is not an integer in the range of `Int64`.
    package var integer: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let magnitude): Int64(exactly: magnitude).map { ~$0 }
        case .bytes, .text, .array, .map, .tagged, .boolean, .null: nil
        }
    }
}

extension CBORValue {
    /// Decodes exactly one item.
    package init(decoding bytes: [UInt8], limits: CBORLimits = .default) throws(WireError) {
        var reader = CBORReader(bytes, limits: limits)
        self = try reader.readValue()
        try reader.finish()
    }
}

extension CBORValue: CBOREncodable {
    /// The encoding of the value. Each value has exactly one encoding.
    package var encoded: [UInt8] { written }

    package func write(to output: inout some CBOROutput) {
        switch self {
        case .unsigned(let value): output.unsigned(value)
        case .negative(let magnitude): output.negative(magnitude)
        case .bytes(let bytes): output.bytes(bytes)
        case .text(let text): output.text(text)
        case .boolean(let value): output.boolean(value)
        case .null: output.null()
        case .array(let items):
            output.array(items.count)
            for item in items { item.write(to: &output) }
        case .map(let pairs):
            output.map(pairs.count)
            let encoded = pairs.map { (key: $0.key.encoded, value: $0.value) }
            for pair in encoded.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                output.encoded(pair.key)
                pair.value.write(to: &output)
            }
        case .tagged(let number, let item):
            output.tag(number)
            item.write(to: &output)
        }
    }
}

extension CBORReader {
    /// Reads an item of any kind. The reader's limit of depth bounds the recursion.
    package mutating func readValue() throws(WireError) -> CBORValue {
        switch try peekType() {
        case .unsigned:
            return .unsigned(try readUnsigned())
        case .negative:
            let head = try readHead(.negative)
            try close(itemAt: head.start)
            return .negative(head.argument)
        case .bytes:
            return .bytes(try readBytes())
        case .text:
            return .text(try readText(maximumBytes: .max))
        case .array:
            let count = try readArray()
            var items: [CBORValue] = []
            for _ in 0..<count { items.append(try readValue()) }
            return .array(items)
        case .map:
            let count = try readMap()
            var pairs: [CBORValue: CBORValue] = [:]
            for _ in 0..<count {
                let key = try readValue()
                pairs[key] = try readValue()
            }
            return .map(pairs)
        case .tag:
            return .tagged(try readTag(), try readValue())
        case .simple:
            if try readIfNull() { return .null }
            return .boolean(try readBoolean())
        }
    }
}

// Two values are equal when their encodings are. Swift's `String` treats canonically equivalent texts as equal; in CBOR
// they are different keys, and a dictionary that confuses them loses a pair.
extension CBORValue: Hashable {
    package static func == (a: CBORValue, b: CBORValue) -> Bool {
        switch (a, b) {
        case (.unsigned(let a), .unsigned(let b)), (.negative(let a), .negative(let b)): a == b
        case (.bytes(let a), .bytes(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.map(let a), .map(let b)): a == b
        case (.tagged(let a, let x), .tagged(let b, let y)): a == b && x == y
        case (.boolean(let a), .boolean(let b)): a == b
        case (.null, .null): true
        case (.unsigned, _), (.negative, _), (.bytes, _), (.text, _), (.array, _), (.map, _), (.tagged, _),
            (.boolean, _), (.null, _):
            false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .unsigned(let value): hash(.unsigned, value, into: &hasher)
        case .negative(let magnitude): hash(.negative, magnitude, into: &hasher)
        case .bytes(let bytes): hash(.bytes, bytes, into: &hasher)
        case .text(let text): hash(.text, Array(text.utf8), into: &hasher)
        case .array(let items): hash(.array, items, into: &hasher)
        case .map(let pairs): hash(.map, pairs, into: &hasher)
        case .tagged(let number, let item):
            hash(.tag, number, into: &hasher)
            hasher.combine(item)
        case .boolean(let value): hash(.simple, value, into: &hasher)
        case .null: hash(.simple, CBORSimpleValue.null, into: &hasher)
        }
    }

    private func hash(_ type: CBORMajorType, _ content: some Hashable, into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(content)
    }
}
