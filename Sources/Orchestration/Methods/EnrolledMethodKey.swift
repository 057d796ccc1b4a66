internal import OrchestrationProtocol
package import Primitives

/// An enrolled method in the record of a user. It names the keys of the method and contains no secret.
package struct EnrolledMethodKey: Sendable, Hashable {
    /// The greatest length of a handle in bytes.
    static let maximumHandleBytes = 1_024

    /// The greatest length of an element of the record in bytes.
    static let maximumEncodedBytes = maximumHandleBytes + 48

    /// Biometric or face.
    package let method: AuthenticationMethod

    /// The handle by which the provider finds the keys.
    package let handle: [UInt8]

    /// The public key that signs approval answers: P-256, compressed, 33 bytes.
    package let publicKey: [UInt8]

    package init(method: AuthenticationMethod, handle: [UInt8], publicKey: [UInt8]) {
        self.method = method
        self.handle = handle
        self.publicKey = publicKey
    }
}

extension UserRecord {
    /// Returns the keys of a method; `nil` where the user has not enrolled it.
    func enrolledKey(of method: AuthenticationMethod) -> EnrolledMethodKey? {
        enrolledMethods.first { $0.method == method }
    }

    /// Replaces the keys of a method.
    mutating func enroll(_ key: EnrolledMethodKey) {
        removeMethod(key.method)
        enrolledMethods.append(key)
        enrolledMethods.sort { $0.method.rawValue < $1.method.rawValue }
    }

    /// Removes the keys that the platform has not registered, or not any more: their codes and answers are wrong. Keys
    /// that were enrolled after the request to the platform stay.
    ///
    /// - Parameters:
    ///   - asked: The record that the request was made from.
    ///   - registered: What the platform has registered.
    mutating func dropMethods(enrolledIn asked: UserRecord, exceptFor registered: [RegisteredMethod]) {
        enrolledMethods.removeAll { key in
            asked.enrolledMethods.contains(key)
                && !registered.contains(RegisteredMethod(key.method, publicKey: key.publicKey))
        }
    }

    /// Removes the keys of a method.
    mutating func removeMethod(_ method: AuthenticationMethod) { enrolledMethods.removeAll { $0.method == method } }
}

extension CBORReader {
    mutating func readEnrolledMethods() throws(WireError) -> [EnrolledMethodKey] {
        let start = offset
        let count = try readArray(maximum: 2)
        var methods: [EnrolledMethodKey] = []
        for _ in 0..<count {
            try readArray(count: 3)
            let method = UInt8(exactly: try readUnsigned()).flatMap(AuthenticationMethod.init(rawValue:))
            let (handle, key) = (
                try readBytes(maximum: EnrolledMethodKey.maximumHandleBytes),
                try readBytes(count: FieldSize.p256Key)
            )
            guard let method, method.isEnrollable, methods.allSatisfy({ $0.method.rawValue < method.rawValue }) else {
                throw WireError(.invalidValue, offset: start)
            }
            methods.append(EnrolledMethodKey(method: method, handle: handle, publicKey: key))
        }
        // A record without enrolled methods has no field for them.
        guard count > 0 else { throw WireError(.invalidValue, offset: start) }
        return methods
    }
}

extension CBORWriter {
    mutating func enrolledMethods(_ methods: [EnrolledMethodKey]) {
        array(methods.count)
        for enrolled in methods {
            array(3)
            unsigned(UInt64(enrolled.method.rawValue))
            bytes(enrolled.handle)
            bytes(enrolled.publicKey)
        }
    }
}
