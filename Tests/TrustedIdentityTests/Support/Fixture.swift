import Primitives
import Wire

@testable import TrustedIdentity

/// Rows and messages for decisions.
enum Fixture {
    static let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    static let id = [UInt8](repeating: 0xD0, count: 16)
    static let receipt = [UInt8](repeating: 0x11, count: 32)

    static func device(_ state: DeviceState = .active) -> DeviceRecord {
        var device = DeviceRecord(
            id: id, account: "alice@master", registrationID: "r1", serialNumber: "TI0000000001", createdAt: now,
            pendingUntil: now.advanced(seconds: 1_800), name: "phone", sdkVersion: "1", methods: [1],
            deviceKey: [UInt8](repeating: 2, count: 33), suite: 1, secrets: nil, ratchet: nil)
        device.state = state
        return device
    }

    static func message(_ body: RequestBody, index: UInt64 = 0, reread: Bool = false) -> RequestMessage {
        RequestMessage(
            MessageHead(
                tenant: "default", account: "alice@master", deviceID: id, requestID: [UInt8](repeating: 1, count: 16),
                time: now, ratchetIndex: index),
            reread: reread, body: body)
    }

    static func decide(
        _ device: DeviceRecord, _ body: RequestBody, proof: ProofOutcome = .absent, index: UInt64 = 0,
        reread: Bool = false, now: Timestamp = now, otherDevices: Int = 0, isSuspended: Bool = false
    ) -> DeviceDecision {
        DeviceMachine(
            device: device,
            request: DeviceRequest(
                message: message(body, index: index, reread: reread), proof: proof, now: now,
                otherDevices: otherDevices, isSuspended: isSuspended, tries: 5,
                capabilities: [.oneTimePasswords, .hostCodes])
        ).decide()
    }
}

extension DeviceDecision {
    /// The code of the refusal; `nil` when accepted.
    var refusal: RefusalCode? {
        if case .refused(let refusal) = result { refusal.code } else { nil }
    }

    /// The number of remaining tries, where the refusal contains it.
    var remainingTries: UInt64? {
        if case .refused(let refusal) = result { refusal.remainingTries } else { nil }
    }
}

extension Policy {
    /// Returns the default with other methods whose codes are accepted.
    static func accepting(_ methods: Set<AuthenticationMethod>) -> Policy {
        var policy = Policy.default
        policy.codes.methods = methods
        return policy
    }
}
