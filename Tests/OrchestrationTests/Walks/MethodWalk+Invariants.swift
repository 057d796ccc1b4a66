import Crypto
import OneTimePassword
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration
@testable import TrustedIdentity

extension MethodWalk {
    /// Returns the keys of the method that each side has. A platform that is restored takes none before it is
    /// synchronized.
    func keys() async throws -> (device: [UInt8]?, platform: [UInt8]?) {
        let (record, row) = (try await device.stolen().record, try await device.row())
        return (record.enrolledKey(of: .biometric)?.publicKey, row.enrolled(.biometric)?.key)
    }

    func inspect() async throws {
        if let violation = world.network.violation { throw world.failure(violation) }
        let (row, stolen) = (try await device.row(), try await device.stolen())
        try world.require(row.state == .active, "the device is \(row.state)")
        try world.require(stolen.record.state == .active, "the user is \(stolen.record.state)")
        try world.require(row.passwordFailures == 0, "a wrong password was counted")
        present = try await device.validPassword(at: row, on: stolen)
        let opened = try DeviceKeys(of: row, sealer: world.platform.sealer)?.secrets.methods[.biometric]
        if let opened, !secrets.contains(opened) { secrets.append(opened) }
        guard !row.isRestored else { return }
        let (now, record) = (world.time.now(), stolen.record)
        let password = try await stolen.guess(present).key
        func code(_ secret: SymmetricKey, _ instance: Instance) throws -> LoginRequest {
            let key = OneTimePasswordKey(
                InstanceKeys.codeKey(
                    secret: secret, ratchet: record.ratchet, application: 1, instance: instance,
                    device: record.address))
            let code = try TOTP(key: key, digits: 8).code(at: now).digits
            return LoginRequest(account: world.account, credential: .oneTimePassword(code))
        }
        try await onCopy { copy in
            for secret in secrets.suffix(3) where secret != opened {
                let decision = try await copy.login(code(secret, .biometric))
                try world.require(decision.reason == .wrongCredential, "a method that ended is \(decision.reason)")
                world.tally.count("probed")
            }
            let face = try await copy.login(code(secrets[0], .face))
            try world.require(face.reason == .wrongCredential, "a method that was never enrolled is \(face.reason)")
            let right = try await copy.login(code(password, .password))
            try world.require([.accepted, .usedCode].contains(right.reason), "the password is \(right.reason)")
            guard let opened else { return }
            // The control: the secret of the present registration makes a code that is accepted.
            let present = try await copy.login(code(opened, .biometric))
            try world.require([.accepted, .usedCode].contains(present.reason), "the method is \(present.reason)")
            world.tally.count("enrolled")
        }
    }

    /// Runs a check on a copy of the platform, so that its counts do not change the walk.
    func onCopy(_ check: (Platform) async throws -> Void) async throws {
        try await world.chance.withoutFaults {
            try await check(try await world.makePlatform(on: world.platformStore.base.snapshot()))
        }
    }
}
