internal import Crypto
internal import OneTimePassword
internal import OrchestrationProtocol
internal import Primitives

/// The generation of a crypto application's code from one state of the record, without side effects.
struct CodeMaker {
    let record: UserRecord
    let application: CryptoApplication
    /// The data that the code is made over. It fits the application.
    let data: LocalCode.Data

    /// Makes a code, and the host code where the application has one.
    ///
    /// - Parameters:
    ///   - secret: The secret of the instance, from the password or from the store.
    ///   - method: The method that gave the secret. It determines the instance.
    ///   - counter: The counter that was reserved for this code, where the application has one.
    ///   - now: The platform's time.
    func make(
        secret: SymmetricKey, method: AuthenticationMethod, counter: UInt64?, now: Timestamp
    ) throws -> LocalCode {
        let instance = Instance(of: method)
        let key = OneTimePasswordKey(
            InstanceKeys.codeKey(
                secret: secret, ratchet: record.ratchet, application: application.index.rawValue, instance: instance,
                device: record.address))
        switch application.kind {
        case .timeBased:
            let totp = try TOTP(key: key, digits: application.digits, timeStep: application.timeStepSeconds)
            let step = totp.step(at: now)
            let seconds = Int64((totp.remainingTime(at: now) / .seconds(1)).rounded(.up))
            return LocalCode(
                digits: totp.code(step: step).digits, hostCode: try hostCode(instance, counter: step),
                expiresIn: .seconds(seconds), method: method)
        case .counterBased:
            guard let counter else { throw OrchestrationError(.internal) }
            let hotp = try HOTP(key: key, digits: application.digits)
            return LocalCode(
                digits: hotp.code(counter: counter).digits, hostCode: try hostCode(instance, counter: counter),
                method: method)
        case .challenge:
            let question = hash(.challenge, instance, counter: nil)
            return LocalCode(
                digits: try code("QH64", key, .init(.hash(question))),
                hostCode: try hostCode(instance, counter: nil), method: method)
        case .signature:
            guard let counter else { throw OrchestrationError(.internal) }
            let question = hash(data.purpose, instance, counter: counter)
            return LocalCode(
                digits: try code("C-QH64", key, .init(.hash(question), counter: counter)),
                hostCode: try hostCode(instance, counter: counter), counter: counter, method: method)
        }
    }

    /// Returns the code that proves the platform. Its key is made from the possession secret, regardless of the method.
    private func hostCode(_ instance: Instance, counter: UInt64?) throws -> String? {
        guard application.hasHostCode, record.has(.hostCodes) else { return nil }
        let key = OneTimePasswordKey(
            InstanceKeys.hostCodeKey(
                secret: record.possessionSecret, ratchet: record.ratchet, application: application.index.rawValue,
                instance: instance, device: record.address))
        let question = hash(.host, instance, counter: counter)
        return try OCRA(suite: .hashedChallenge, key: key).code(for: .init(.hash(question))).digits
    }

    private func hash(_ purpose: SignedQuestion.Purpose, _ instance: Instance, counter: UInt64?) -> [UInt8] {
        SignedQuestion.hash(
            purpose: purpose, tenant: record.tenant, instance: instance, application: application.index.rawValue,
            challenge: data.challenge, counter: counter, fields: data.fields)
    }

    /// Returns a code of the suite with an input, with the number of digits of the application.
    private func code(
        _ data: String, _ key: consuming OneTimePasswordKey, _ input: OCRA.Input
    ) throws(OneTimePasswordError) -> String {
        let suite = try OCRA.Suite("OCRA-1:HOTP-SHA256-\(application.digits):\(data)", allowsTenDigits: true)
        return try OCRA(suite: suite, key: key).code(for: input).digits
    }
}

extension LocalCode.Data {
    /// The purpose of a code with a counter over data.
    fileprivate var purpose: SignedQuestion.Purpose {
        if case .seal = self { .seal } else { .signature }
    }
}
