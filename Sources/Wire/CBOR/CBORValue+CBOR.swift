extension CBORValue {
    /// Decodes exactly one item.
    package init(decoding bytes: [UInt8], limits: CBORLimits = .default) throws(WireError) {
        var reader = CBORReader(bytes, limits: limits)
        self = try reader.readValue()
        try reader.finish()
    }
}

extension CBORValue: CBOREncodable {
    /// The one encoding of this value.
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
            var map = CBORMap()
            for (key, value) in pairs { map.set(key: key.encoded) { value.write(to: &$0) } }
            map.write(to: &output)
        case .tagged(let number, let item):
            output.tag(number)
            item.write(to: &output)
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
