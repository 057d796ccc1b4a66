internal import Crypto
package import Primitives

/// A method that the platform has registered for a device, as the answer to `synchronize` names it.
package struct RegisteredMethod: Sendable, Hashable {
    /// Biometric or face.
    package let method: AuthenticationMethod

    /// The SHA-256 of the registered public key, 32 bytes.
    package let keyHash: [UInt8]

    /// Creates the hash that identifies a registration.
    ///
    /// - Parameter publicKey: The registered key, 33 bytes.
    package init(_ method: AuthenticationMethod, publicKey: [UInt8]) {
        self.method = method
        keyHash = Array(SHA256.hash(data: publicKey))
    }

    private init?(_ value: CBORValue) {
        guard case .array(let members) = value, members.count == 2,
            let number = members[0].integer.flatMap(UInt8.init(exactly:)),
            let method = AuthenticationMethod(rawValue: number), method.isEnrollable,
            case .bytes(let hash) = members[1], hash.count == FieldSize.hash
        else { return nil }
        self.method = method
        keyHash = hash
    }
}

// The wire form: an extension of an answer to `synchronize`, which is absent if no method is registered.
extension RegisteredMethod {
    /// The key of the extension.
    package static let extensionKey: Int64 = 5

    /// Returns the value of the extension, `[[method, hash], …]`; `nil` for no methods.
    package static func value(of methods: [RegisteredMethod]) -> CBORValue? {
        guard !methods.isEmpty else { return nil }
        return .array(methods.map { .array([.unsigned(UInt64($0.method.rawValue)), .bytes($0.keyHash)]) })
    }

    /// Reads the value of the extension; `nil` for a value that breaks a rule.
    fileprivate static func methods(in value: CBORValue) -> [RegisteredMethod]? {
        guard case .array(let members) = value else { return nil }
        let methods = members.compactMap(RegisteredMethod.init)
        return methods.count == members.count ? methods : nil
    }
}

extension AnswerMessage {
    /// The methods that the platform has registered for the device; `nil` in answers other than an accepted
    /// `synchronize`, and if the value breaks a rule.
    package var registeredMethods: [RegisteredMethod]? {
        guard type == SynchronizeMessage.type, case .accepted = result else { return nil }
        guard let value = head.extensions[RegisteredMethod.extensionKey] else { return [] }
        return RegisteredMethod.methods(in: value)
    }
}
