internal import OrchestrationProtocol
public import Primitives

/// A method that a user has enrolled on a device, as the device has registered it. It contains no secret.
public struct EnrolledMethod: Sendable, Hashable {
    /// Biometric or face.
    public var method: AuthenticationMethod
    /// The protection that releases the keys on the device, as the device states it.
    public var protection: MethodProtection
    /// The public key that signs the approval answers of the method: P-256, compressed, 33 bytes.
    public var key: [UInt8]
    /// The time of the registration, by the platform's clock.
    public var registeredAt: Timestamp
    /// The time in the request of the device. An earlier request does not replace or end the registration.
    public var requestedAt: Timestamp

    /// The methods that can be registered, in the order of their numbers. A typed code is compared with a secret of
    /// each one, for every device.
    static let enrollable = AuthenticationMethod.allCases.filter(\.isEnrollable)
}

// The stored form: one column for all methods of a device, because no query names them.
extension [EnrolledMethod] {
    /// The stored form: deterministic CBOR `[[method, protection, key, registeredAt, requestedAt], …]` by ascending
    /// method; `nil` for none.
    package var encoded: [UInt8]? {
        guard !isEmpty else { return nil }
        var output = CBORWriter(capacity: 72 * count)
        output.array(count)
        for enrolled in self {
            output.array(5)
            output.unsigned(UInt64(enrolled.method.rawValue))
            output.unsigned(UInt64(enrolled.protection.rawValue))
            output.bytes(enrolled.key)
            output.integer(enrolled.registeredAt.millisecondsSinceEpoch)
            output.integer(enrolled.requestedAt.millisecondsSinceEpoch)
        }
        return output.finish()
    }

    /// Reads the stored form.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` for bytes that ``encoded`` does not make.
    package init(stored bytes: [UInt8]?) throws(StoreError) {
        guard let bytes else {
            self = []
            return
        }
        guard let methods = try? Self.decoded(bytes), methods.encoded == bytes else {
            throw StoreError(.corrupt)
        }
        self = methods
    }

    private static func decoded(_ bytes: [UInt8]) throws -> [EnrolledMethod] {
        var reader = CBORReader(bytes)
        var methods: [EnrolledMethod] = []
        for _ in 0..<(try reader.readArray(maximum: EnrolledMethod.enrollable.count)) {
            try reader.readArray(count: 5)
            let method = UInt8(exactly: try reader.readUnsigned()).flatMap(AuthenticationMethod.init(rawValue:))
            let protection = UInt8(exactly: try reader.readUnsigned()).flatMap(MethodProtection.init(rawValue:))
            let key = try reader.readBytes(count: FieldSize.p256Key)
            let registered = Timestamp(millisecondsSinceEpoch: try reader.readInteger())
            let requested = Timestamp(millisecondsSinceEpoch: try reader.readInteger())
            guard let method, let protection, method.isEnrollable, methods.allSatisfy({ $0.method < method }) else {
                throw StoreError(.corrupt)
            }
            methods.append(
                EnrolledMethod(
                    method: method, protection: protection, key: key, registeredAt: registered, requestedAt: requested))
        }
        try reader.finish()
        return methods
    }
}

extension AuthenticationMethod {
    /// The order of the methods in the stored form.
    fileprivate static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
