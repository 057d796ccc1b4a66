extension CBORValue {
    /// Decodes exactly one item.
    package init(decoding bytes: [UInt8], limits: CBORLimits = .default) throws(WireError) {
        var reader = CBORReader(bytes, limits: limits)
        self = try reader.readValue()
        try reader.finish()
    }

    /// The one encoding of this value.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        write(to: &writer)
        return writer.finish()
    }

    package func write(to writer: inout CBORWriter) {
        switch self {
        case .unsigned(let value): writer.unsigned(value)
        case .negative(let magnitude): writer.negative(magnitude)
        case .bytes(let bytes): writer.bytes(bytes)
        case .text(let text): writer.text(text)
        case .boolean(let value): writer.boolean(value)
        case .null: writer.null()
        case .array(let items):
            writer.array(items.count)
            for item in items { item.write(to: &writer) }
        case .map(let pairs):
            var map = CBORMap()
            for (key, value) in pairs { map.set(key: key.encoded) { value.write(to: &$0) } }
            map.write(to: &writer)
        case .tagged(let number, let item):
            writer.tag(number)
            item.write(to: &writer)
        }
    }
}

extension CBORReader {
    /// Reads any item. The recursion ends at the reader's limit of depth.
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
