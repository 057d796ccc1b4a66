import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// A decision of the platform that writes. A new one belongs into this list.
enum PlatformDecision: String, CaseIterable, Sendable {
    case loginWithCode, loginWithCounterCode, loginWithStaticPassword, resynchronization
    case loginWithChallenge, localTransaction, challenge
    case activationStep1, activationStep2, activationStep3, activationStep4
    case notifications, synchronization, deletion
    case registration, unregistration, liftingOfBlocks, restore, creationOfAPIKey, revocationOfAPIKey, sweep
    case revocationOfDevice
    // After a restore that suspends what was made before.
    case suspendedLoginWithStaticPassword, suspendedNotifications, suspendedDeletion
    case liftingOfSuspensions

    /// The state of the account in which the decision is made.
    var beginning: DecisionScene.Beginning {
        switch self {
        case .activationStep1: .registered
        case .activationStep2: .exchanged
        case .activationStep3, .sweep: .keyed
        case .activationStep4: .proven
        case .suspendedLoginWithStaticPassword, .suspendedNotifications, .suspendedDeletion,
            .liftingOfSuspensions:
            .suspended
        default: .activated
        }
    }

    /// The changes after which the decision has another result.
    var stoppedBy: Set<Interference> {
        switch self {
        case .loginWithCode, .loginWithCounterCode, .resynchronization, .loginWithChallenge, .localTransaction:
            [.lock, .revocation, .unregistration, .restore, .suspension, .blockOfCodes]
        case .loginWithStaticPassword: [.replacedStaticPassword, .unregistration, .suspension, .blockOfStaticPasswords]
        case .activationStep1, .activationStep2: [.spentActivationPassword, .unregistration, .registration]
        case .activationStep3, .activationStep4:
            [.lock, .revocation, .unregistration, .registration, .restore, .suspension]
        case .notifications, .synchronization: [.lock, .revocation, .unregistration, .restore, .suspension]
        case .deletion: [.revocation, .unregistration, .restore, .suspension]
        case .unregistration, .liftingOfBlocks: [.unregistration]
        case .revocationOfDevice: [.revocation, .unregistration]
        case .sweep: [.revocation, .unregistration, .registration]
        case .registration, .restore, .challenge, .creationOfAPIKey, .revocationOfAPIKey, .liftingOfSuspensions: []
        case .suspendedLoginWithStaticPassword: [.unregistration, .lift, .blockOfStaticPasswords]
        case .suspendedNotifications: [.lock, .revocation, .unregistration, .restore, .suspension, .lift]
        case .suspendedDeletion: [.revocation, .unregistration, .restore, .suspension]
        }
    }

    /// Makes the decision on a platform.
    ///
    /// - Returns: The result in words, without values that are random.
    func result(in scene: DecisionScene, on platform: Platform) async throws -> String {
        do {
            return try await decide(in: scene, on: platform)
        } catch let error as PlatformError {
            return "error \(error.code)"
        }
    }

    private func decide(in scene: DecisionScene, on platform: Platform) async throws -> String {
        let (harness, account) = (scene.harness, try Harness.account())
        switch self {
        case .loginWithCode:
            return try await scene.login(scene.device.code(at: harness.time.now()), on: platform)
        case .loginWithCounterCode:
            return try await scene.login(scene.device.code(counter: 1), application: .app2, on: platform)
        case .loginWithStaticPassword, .suspendedLoginWithStaticPassword:
            let decision = try await platform.login(
                .init(account: account, credential: .staticPassword(DecisionScene.staticPassword)))
            return "\(decision.reason)"
        case .resynchronization:
            try await platform.synchronizeAuthenticator(
                account, codes: (scene.device.code(counter: 40), scene.device.code(counter: 41)), application: .app2)
            return "synchronized"
        case .loginWithChallenge:
            let made = try #require(scene.challenge)
            let code = try scene.device.code(challenge: made.digits)
            let decision = try await platform.login(
                .init(account: account, credential: .challengeResponse(code, requestID: made.requestID)))
            return "\(decision.reason)"
        case .localTransaction:
            let fields = [DataField(label: "Amount", value: "1")]
            let signature = try scene.device.signature(fields, counter: 1)
            let decision = try await platform.validate(
                LocalTransaction(account: account, fields: fields, signature: signature))
            return "\(decision.reason)"
        case .challenge:
            return "\(try await platform.generateChallenge(for: account, length: 9).digits.count) digits"
        case .activationStep1:
            _ = try await platform.execute(scene.command)
            // The answer does not show whether the activation password exists. The audit log does.
            let tries = try await platform.audit(of: account, limit: 1_000).filter { $0.event == .activationTried }
            return "\(tries.count) tries"
        case .activationStep2:
            let answer = try await platform.execute(scene.command)
            return (try? ActivationRefusal(decoding: answer.bytes)).map { "\($0.reason)" } ?? "keyed"
        case .activationStep3, .activationStep4, .notifications, .synchronization, .deletion, .suspendedNotifications,
            .suspendedDeletion:
            return try await scene.answer(on: platform)
        case .registration:
            _ = try await platform.register(.init(account: account))
            return "registered"
        case .unregistration:
            try await platform.unregister(account)
            return "unregistered"
        case .liftingOfBlocks:
            try await platform.liftBlocks(of: account)
            return "lifted"
        case .restore:
            try await platform.markRestored(revocations: .unknown)
            return "restored"
        case .creationOfAPIKey:
            return "\(try await platform.createAPIKey(scope: .administrator, name: "new").scope)"
        case .revocationOfAPIKey:
            try await platform.revokeAPIKey(scene.apiKey)
            return "revoked"
        case .revocationOfDevice:
            _ = try await platform.revokeDevice(scene.device.id, of: account)
            return "revoked"
        case .liftingOfSuspensions:
            try await platform.liftSuspensions()
            return "lifted"
        case .sweep:
            harness.time.advance(milliseconds: DeviceLimits.pendingLifetime + DeviceLimits.pendingRetention)
            defer { harness.time.advance(milliseconds: -DeviceLimits.pendingLifetime - DeviceLimits.pendingRetention) }
            try await platform.sweep(now: harness.time.now())
            let drops = try await platform.audit(of: account, limit: 1_000).filter { $0.reason == "pendingExpired" }
            return "\(drops.count) dropped"
        }
    }
}

/// A change that another transaction commits.
enum Interference: String, CaseIterable, Sendable {
    case lock, revocation, replacedStaticPassword, unregistration, registration, spentActivationPassword
    case blockOfCodes, blockOfStaticPasswords
    /// A restore from a backup after which nothing is suspended, and one after which everything from before is.
    case restore, suspension
    case lift

    /// Makes the change.
    func commit(in store: StoreTransaction, of scene: DecisionScene.Values) throws {
        let (alice, now) = (Harness.alice, scene.now)
        let revocation = DeviceRevocation(sealer: scene.sealer, now: now, reason: "test")
        switch self {
        case .lock:
            for var device in try store.devices(of: alice) where ![.locked, .revoked].contains(device.state) {
                device.lock(.cloneSuspected)
                try requireWritten(store.update(device))
            }
        case .revocation:
            for device in try store.devices(of: alice) where device.state != .revoked {
                try revocation.revoke(device, in: store)
            }
        case .replacedStaticPassword:
            guard var account = try store.account(alice) else { return }
            account.staticPassword = scene.otherStaticPassword
            try requireWritten(store.update(account))
        case .unregistration:
            try Platform.unregister(alice, in: store, sealer: scene.sealer, now: now)
        case .registration:
            guard var account = try store.account(alice), var password = scene.otherActivationPassword else { return }
            (account.registrationID, account.activatedAt) = (password.registrationID, nil)
            try requireWritten(store.update(account))
            password.version = 0
            try store.put(password)
            for device in try store.devices(of: alice) where device.isUnfinished {
                try revocation.revoke(device, in: store)
            }
        case .spentActivationPassword:
            guard var password = try store.activationPassword(of: alice) else { return }
            (password.spentAt, password.secret) = (now, nil)
            try requireWritten(store.update(password))
        case .restore: try restore(suspends: false, in: store, now: now)
        case .suspension: try restore(suspends: true, in: store, now: now)
        case .lift: try lift(in: store)
        case .blockOfCodes: try block(.code, in: store, of: scene)
        case .blockOfStaticPasswords: try block(.staticPassword, in: store, of: scene)
        }
    }

    private func restore(suspends: Bool, in store: StoreTransaction, now: Timestamp) throws {
        var state = try store.currentState()
        (state.restoredAt, state.suspendedBelowBefore) = (now, state.suspendedBelow)
        state.epoch += 1
        if suspends { state.suspendedBelow = state.epoch }
        try requireWritten(store.update(state))
    }

    private func lift(in store: StoreTransaction) throws {
        var state = try store.currentState()
        guard state.suspendedBelow > 0 else { return }
        state.suspendedBelow = 0
        try requireWritten(store.update(state))
    }

    private func block(
        _ kind: CredentialKind, in store: StoreTransaction, of scene: DecisionScene.Values
    ) throws {
        let scope = ThrottleScope(account: Harness.alice, kind: kind, source: nil, hashes: scene.hashes)
        for _ in 0..<5 { try requireWritten(scope.fail(scope.counts(in: store), in: store, now: scene.now)) }
    }
}
