extension COSEHeader {
    /// Reads both headers of a message: the protected one in its byte string, then the unprotected map.
    ///
    /// - Returns: the protected header, and what the policy lets stand unprotected (for ``COSEPolicy/strict`` always
    ///   nothing).
    static func read(
        from reader: inout CBORReader, algorithms: [Int64: COSEAlgorithm], policy: COSEPolicy
    ) throws(WireError) -> (header: COSEHeader, unprotected: [Int64: CBORValue]) {
        let start = reader.offset
        let encoded = try reader.readBytes(maximum: maximumBytes)
        let protected = encoded.isEmpty ? [:] : try labelled(CBORValue(decoding: encoded), at: start)

        let unprotectedStart = reader.offset
        let unprotected = try labelled(reader.readValue(), at: unprotectedStart)
        guard unprotected.isEmpty || policy.allowsUnprotectedHeaders else {
            throw WireError(.unprotectedHeader, offset: unprotectedStart)
        }
        guard Set(protected.keys).isDisjoint(with: unprotected.keys) else {
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

    /// Room for every header of the protocol; that of a request with X-Wing is the largest, at about 1,300 bytes.
    private static let maximumBytes = 4096

    /// The parameters of a map whose labels are integers or texts (RFC 9052 §1.5).
    private static func labelled(_ value: CBORValue, at offset: Int) throws(WireError) -> [CBORValue: CBORValue] {
        guard case .map(let pairs) = value, pairs.keys.allSatisfy(isLabel) else {
            throw WireError(.unexpectedType, offset: offset)
        }
        return pairs
    }

    private static func isLabel(_ key: CBORValue) -> Bool {
        if case .text = key { return true }
        return key.integer != nil
    }

    /// RFC 9052 §3.1: the list is protected, not empty, and names labels that are there and that we understand.
    private static func checkCritical(
        _ protected: [CBORValue: CBORValue], unprotected: [CBORValue: CBORValue], at offset: Int
    ) throws(WireError) {
        let label = CBORValue.integer(COSELabel.critical)
        guard unprotected[label] == nil else { throw WireError(.invalidCriticalHeader, offset: offset) }
        guard let value = protected[label] else { return }
        guard case .array(let labels) = value, !labels.isEmpty, labels.allSatisfy(isLabel) else {
            throw WireError(.invalidCriticalHeader, offset: offset)
        }
        for label in labels {
            guard let number = label.integer, COSELabel.known.contains(number) else {
                throw WireError(.unknownCriticalHeader, offset: offset)
            }
            guard protected[label] != nil else { throw WireError(.invalidCriticalHeader, offset: offset) }
        }
    }

    /// The parameters with integer labels; those that we do not know are refused or ignored, as the policy says.
    private static func integers(
        _ pairs: [CBORValue: CBORValue], policy: COSEPolicy, at offset: Int
    ) throws(WireError) -> [Int64: CBORValue] {
        var parameters: [Int64: CBORValue] = [:]
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
