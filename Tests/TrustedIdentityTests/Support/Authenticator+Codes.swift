import OneTimePassword
import OrchestrationProtocol
import Primitives

@testable import TrustedIdentity

extension Authenticator {
    /// Returns the time-based code.
    ///
    /// - Parameter clock: The error of the device's clock, in seconds.
    func code(instance: Instance = .password, clock: Int64 = 0, at now: Timestamp) throws -> String {
        let key = OneTimePasswordKey(codeKey(application: 1, instance: instance))
        return try TOTP(key: key, digits: 8).code(at: now.advanced(seconds: clock)).digits
    }

    /// Returns the code of a counter.
    func code(counter: UInt64, instance: Instance = .password) throws -> String {
        let key = OneTimePasswordKey(codeKey(application: 2, instance: instance))
        return try HOTP(key: key, digits: 8).code(counter: counter).digits
    }

    /// Returns the code over a challenge.
    func code(challenge: String, instance: Instance = .password) throws -> String {
        let question = SignedQuestion.hash(
            purpose: .challenge, tenant: "default", instance: instance, application: 3, challenge: challenge,
            counter: nil, fields: [])
        let key = OneTimePasswordKey(codeKey(application: 3, instance: instance))
        return try OCRA(suite: .hashedChallenge, key: key).code(for: .init(.hash(question))).digits
    }

    /// Returns the signature over data fields.
    func signature(_ fields: [DataField], counter: UInt64, instance: Instance = .password) throws -> String {
        let question = SignedQuestion.hash(
            purpose: .signature, tenant: "default", instance: instance, application: 4, challenge: nil,
            counter: counter, fields: fields)
        let key = OneTimePasswordKey(codeKey(application: 4, instance: instance))
        return try OCRA(suite: .hashedSignature, key: key).code(for: .init(.hash(question), counter: counter)).digits
    }

    /// Returns the seal over data.
    func seal(_ content: SealContent, counter: UInt64, instance: Instance = .password) throws -> String {
        let question = SignedQuestion.hash(
            purpose: .seal, tenant: "default", instance: instance, application: 4, challenge: nil,
            counter: counter, fields: content.signedFields)
        let key = OneTimePasswordKey(codeKey(application: 4, instance: instance))
        return try OCRA(suite: .hashedSignature, key: key).code(for: .init(.hash(question), counter: counter)).digits
    }

    /// Returns the host code that the device expects for its code over a challenge.
    func hostCode(challenge: String, instance: Instance = .password) throws -> String {
        try hostCode(application: 3, instance: instance, counter: nil, challenge: challenge)
    }

    /// Returns the host code that the device expects from the site.
    func hostCode(
        application: UInt8, instance: Instance, counter: UInt64?, challenge: String? = nil, fields: [DataField] = []
    ) throws -> String {
        let key = InstanceKeys.hostCodeKey(
            secret: secrets.possessionInstance, ratchet: ratchet, application: application, instance: instance,
            device: address)
        let question = SignedQuestion.hash(
            purpose: .host, tenant: "default", instance: instance, application: application, challenge: challenge,
            counter: counter, fields: fields)
        return try OCRA(suite: .hashedChallenge, key: OneTimePasswordKey(key))
            .code(for: .init(.hash(question))).digits
    }
}

/// Returns another code of the same form.
func wrong(_ code: String) -> String {
    String(code.dropLast()) + (code.last == "0" ? "1" : "0")
}
