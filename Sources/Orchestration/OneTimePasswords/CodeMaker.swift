internal import Crypto
internal import OneTimePassword
internal import Primitives
internal import SecureChannel
internal import Wire

/// Makes the code of a crypto application from one state of the record, without any effect.
struct CodeMaker {
    let record: UserRecord
    let application: CryptoApplication
    let challenge: String?

    /// Makes a code, and the host code where there is one.
    ///
    /// - Parameters:
    ///   - secret: The secret of the instance, from the password or from the store.
    ///   - method: The method that gave the secret. It determines the instance.
    ///   - counter: The counter that was reserved for this code, where the application has one.
    ///   - now: The platform's time.
    func make(
        secret: SymmetricKey, method: AuthenticationMethod, counter: UInt64?, now: Timestamp
    ) throws -> OneTimePasswordResult {
        let instance: Instance = method == .password ? .password : .possession
        let key = OneTimePasswordKey(
            InstanceKeys.codeKey(
                secret: secret, ratchet: record.ratchet, application: application.index.rawValue, instance: instance,
                device: record.address))
        switch application.kind {
        case .timeBased:
            let totp = try TOTP(key: key, digits: application.digits, timeStep: application.timeStepSeconds)
            let step = totp.step(at: now)
            let seconds = Int64((totp.remainingTime(at: now) / .seconds(1)).rounded(.up))
            return OneTimePasswordResult(
                oneTimePassword: totp.code(step: step).digits, hostCode: try hostCode(instance, counter: step),
                expiresIn: .seconds(seconds), method: method)
        case .counterBased:
            guard let counter else { throw OrchestrationError(.internal) }
            let hotp = try HOTP(key: key, digits: application.digits)
            return OneTimePasswordResult(
                oneTimePassword: hotp.code(counter: counter).digits, hostCode: try hostCode(instance, counter: counter),
                expiresIn: nil, method: method)
        case .challenge:
            let question = hash(.challenge, instance, counter: nil)
            return OneTimePasswordResult(
                oneTimePassword: try answer(question, key: key, digits: application.digits),
                hostCode: try hostCode(instance, counter: nil), expiresIn: nil, method: method)
        case .signature:
            throw OrchestrationError(.applicationUnsuitable)
        }
    }

    /// Returns the code that proves the platform. Its key is made from the possession secret, whatever the method was.
    private func hostCode(_ instance: Instance, counter: UInt64?) throws -> String? {
        guard application.hasHostCode, record.has(.hostCodes) else { return nil }
        let key = OneTimePasswordKey(
            InstanceKeys.hostCodeKey(
                secret: record.possessionSecret, ratchet: record.ratchet, application: application.index.rawValue,
                instance: instance, device: record.address))
        return try answer(hash(.host, instance, counter: counter), key: key, digits: 8)
    }

    private func hash(_ purpose: SignedQuestion.Purpose, _ instance: Instance, counter: UInt64?) -> [UInt8] {
        SignedQuestion.hash(
            purpose: purpose, tenant: record.tenant, instance: instance, application: application.index.rawValue,
            challenge: challenge, counter: counter, fields: [])
    }

    private func answer(
        _ hash: [UInt8], key: consuming OneTimePasswordKey, digits: Int
    ) throws(OneTimePasswordError) -> String {
        let suite = try OCRA.Suite("OCRA-1:HOTP-SHA256-\(digits):QH64", allowsTenDigits: true)
        return try OCRA(suite: suite, key: key).code(for: .init(.hash(hash))).digits
    }
}
