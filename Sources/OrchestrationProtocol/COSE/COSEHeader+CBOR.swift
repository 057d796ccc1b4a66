extension COSEHeader {
    /// Reads both headers of a message: the protected one in its byte string, then the unprotected map.
    ///
    /// - Returns: The protected header, and the unprotected parameters that the policy allows. ``COSEPolicy/strict``
    ///   allows none.
    static func read(
        from reader: inout CBORReader, algorithms: [Int64: COSEAlgorithm], policy: COSEPolicy
    ) throws(WireError) -> (header: COSEHeader, unprotected: COSEParameters) {
        let start = reader.offset
        let encoded = try reader.readBytes(maximum: maximumBytes)
        let protected = encoded.isEmpty ? [] : try pairs(in: encoded, at: start)

        let unprotectedStart = reader.offset
        let unprotected = try labeled(readPairs(&reader), at: unprotectedStart)
        guard unprotected.isEmpty || policy.allowsUnprotectedHeaders else {
            throw WireError(.unprotectedHeader, offset: unprotectedStart)
        }
        guard !unprotected.contains(where: { protected.value(of: $0.label) != nil }) else {
            throw WireError(.duplicateHeader, offset: unprotectedStart)
        }

        try checkCritical(protected, unprotected: unprotected, at: start)
        let parameters = try integers(protected, policy: policy, at: start)
        if let keyID = parameters[COSELabel.keyID] {
            guard case .bytes = keyID else { throw WireError(.unexpectedType, offset: start) }
        }
        let others = try integers(unprotected, policy: policy, at: unprotectedStart)
        guard let number = parameters[COSELabel.algorithm] ?? others[COSELabel.algorithm] else {
            throw WireError(.missingAlgorithm, offset: start)
        }
        guard let algorithm = number.integer.flatMap({ algorithms[$0] }) else {
            throw WireError(.unsupportedAlgorithm, offset: start)
        }
        return (COSEHeader(encoded: encoded, parameters: parameters, algorithm: algorithm), others)
    }

    /// The maximum length of a header. The largest header, of a request in suite 2, has about 1,300 bytes.
    private static let maximumBytes = 4096

    /// A parameter whose label may be any item.
    private typealias Pair = (label: CBORValue, value: CBORValue)

    /// Reads the parameters of the protected header. Offsets in errors count from its beginning.
    private static func pairs(in encoded: [UInt8], at start: Int) throws(WireError) -> [Pair] {
        var reader = CBORReader(encoded)
        let pairs = try readPairs(&reader)
        try reader.finish()
        return try labeled(pairs, at: start)
    }

    /// Reads the pairs of a map in their order; `nil` if the item is not a map.
    private static func readPairs(_ reader: inout CBORReader) throws(WireError) -> [Pair]? {
        guard try reader.peekType() == .map else {
            try reader.skipItem()
            return nil
        }
        let count = try reader.readMap()
        var pairs: [Pair] = []
        pairs.reserveCapacity(count)
        for _ in 0..<count { pairs.append((try reader.readValue(), try reader.readValue())) }
        return pairs
    }

    /// Refuses an item that is not a map with integers or texts as labels (RFC 9052, section 1.5).
    private static func labeled(_ pairs: [Pair]?, at offset: Int) throws(WireError) -> [Pair] {
        guard let pairs, pairs.allSatisfy({ isLabel($0.label) }) else {
            throw WireError(.unexpectedType, offset: offset)
        }
        return pairs
    }

    private static func isLabel(_ key: CBORValue) -> Bool {
        if case .text = key { return true }
        return key.integer != nil
    }

    /// Checks that a list of critical labels is protected and not empty, and that its labels are known and present
    /// (RFC 9052, section 3.1).
    private static func checkCritical(
        _ protected: [Pair], unprotected: [Pair], at offset: Int
    ) throws(WireError) {
        let label = CBORValue.integer(COSELabel.critical)
        guard unprotected.value(of: label) == nil else { throw WireError(.invalidCriticalHeader, offset: offset) }
        guard let value = protected.value(of: label) else { return }
        guard case .array(let labels) = value, !labels.isEmpty, labels.allSatisfy(isLabel) else {
            throw WireError(.invalidCriticalHeader, offset: offset)
        }
        for label in labels {
            guard let number = label.integer, COSELabel.known.contains(number) else {
                throw WireError(.unknownCriticalHeader, offset: offset)
            }
            guard protected.value(of: label) != nil else { throw WireError(.invalidCriticalHeader, offset: offset) }
        }
    }

    /// Returns the parameters with integer labels. The policy decides whether unknown ones are refused or ignored.
    private static func integers(
        _ pairs: [Pair], policy: COSEPolicy, at offset: Int
    ) throws(WireError) -> COSEParameters {
        var parameters = COSEParameters()
        for (key, value) in pairs {
            let label = key.integer
            guard policy.ignoresUnknownLabels || label.map(COSELabel.known.contains) == true else {
                throw WireError(.unexpectedHeader, offset: offset)
            }
            if let label { parameters[label] = value }
        }
        return parameters
    }
}

extension [(label: CBORValue, value: CBORValue)] {
    fileprivate func value(of label: CBORValue) -> CBORValue? {
        first { $0.label == label }?.value
    }
}
