import OneTimePassword
import Primitives
import SecureChannel

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

    /// Returns the host code that the device expects from the site.
    func hostCode(application: UInt8, instance: Instance, counter: UInt64) throws -> String {
        let key = InstanceKeys.hostCodeKey(
            secret: secrets.possessionInstance, ratchet: ratchet, application: application, instance: instance,
            device: address)
        let question = SignedQuestion.hash(
            purpose: .host, tenant: "default", instance: instance, application: application, challenge: nil,
            counter: counter, fields: [])
        return try OCRA(suite: .hashedChallenge, key: OneTimePasswordKey(key))
            .code(for: .init(.hash(question))).digits
    }
}

/// Returns another code of the same form.
func wrong(_ code: String) -> String {
    String(code.dropLast()) + (code.last == "0" ? "1" : "0")
}
