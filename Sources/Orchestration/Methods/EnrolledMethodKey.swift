internal import OrchestrationProtocol
package import Primitives

/// An enrolled method in the record of a user. It names the keys of the method and contains no secret.
package struct EnrolledMethodKey: Sendable, Hashable {
    /// The maximum length of a handle in bytes.
    static let maximumHandleBytes = 1_024

    /// The maximum length of an element of the record in bytes.
    static let maximumEncodedBytes = maximumHandleBytes + 48

    /// Biometric or face.
    package let method: AuthenticationMethod

    /// The handle by which the provider finds the keys.
    package let handle: [UInt8]

    /// The public key that signs approval answers: P-256, compressed, 33 bytes.
    package let publicKey: [UInt8]
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

    /// Removes the keys that the platform has not registered, or has removed, because their codes and answers are
    /// wrong. Keys that were enrolled after the request to the platform stay.
    ///
    /// - Parameters:
    ///   - asked: The record that the request was made from.
    ///   - registered: The methods that the platform has registered.
    mutating func dropMethods(enrolledIn asked: UserRecord, exceptFor registered: [RegisteredMethod]) {
        enrolledMethods.removeAll { key in
            asked.enrolledMethods.contains(key)
                && !registered.contains(RegisteredMethod(key.method, publicKey: key.publicKey))
        }
    }

    /// Removes the keys of a method.
    mutating func removeMethod(_ method: AuthenticationMethod) { enrolledMethods.removeAll { $0.method == method } }
}

extension RecordForm<[EnrolledMethodKey]> {
    /// A record without enrolled methods contains no field for them.
    static var enrolledMethods: Self {
        list(of: .enrolledMethod, maximum: 2) { methods in
            !methods.isEmpty && zip(methods, methods.dropFirst()).allSatisfy { $0.method.rawValue < $1.method.rawValue }
        }
    }
}

extension RecordForm<EnrolledMethodKey> {
    fileprivate static var enrolledMethod: Self {
        array(
            of: .unsigned(), .bytes(maximum: EnrolledMethodKey.maximumHandleBytes), .bytes(FieldSize.p256Key),
            members: { ($0.method.rawValue, $0.handle, $0.publicKey) }
        ) { number, handle, publicKey in
            guard let method = AuthenticationMethod(rawValue: number), method.isEnrollable else { return nil }
            return EnrolledMethodKey(method: method, handle: handle, publicKey: publicKey)
        }
    }
}
