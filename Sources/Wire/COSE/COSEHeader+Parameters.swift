// Typed access for messages that know which parameters they have.
extension COSEHeader {
    /// Refuses labels that do not belong into this message.
    package func require(only labels: [Int64]) throws(WireError) {
        guard parameters.labels.allSatisfy(labels.contains) else { throw WireError(.unexpectedHeader) }
    }

    /// A byte string of exactly this length.
    package func bytes(_ label: Int64, count: Int) throws(WireError) -> [UInt8] {
        guard case .bytes(let bytes) = try value(label) else { throw WireError(.unexpectedType) }
        guard bytes.count == count else { throw WireError(.unexpectedLength) }
        return bytes
    }

    /// An unsigned integer up to a limit.
    package func unsigned(_ label: Int64, maximum: UInt64 = UInt64(Int64.max)) throws(WireError) -> UInt64 {
        guard case .unsigned(let number) = try value(label) else { throw WireError(.unexpectedType) }
        guard number <= maximum else { throw WireError(.integerOutOfRange) }
        return number
    }

    private func value(_ label: Int64) throws(WireError) -> CBORValue {
        guard let value = parameters[label] else { throw WireError(.missingHeader) }
        return value
    }
}
