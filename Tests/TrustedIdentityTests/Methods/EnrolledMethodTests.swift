import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The stored form of the enrolled methods.
struct EnrolledMethodTests {
    private let both = [
        EnrolledMethod(
            method: .biometric, protection: .system, key: [UInt8](repeating: 2, count: 33),
            registeredAt: Timestamp(millisecondsSinceEpoch: 1_790_000_000_000),
            requestedAt: Timestamp(millisecondsSinceEpoch: 1_789_999_999_000)),
        EnrolledMethod(
            method: .face, protection: .software, key: [UInt8](repeating: 3, count: 33),
            registeredAt: Timestamp(millisecondsSinceEpoch: -1), requestedAt: Timestamp(millisecondsSinceEpoch: 1)),
    ]

    @Test func `what is stored is read again, and no method has no form`() throws {
        for methods in [[], [both[0]], [both[1]], both] {
            #expect(try [EnrolledMethod](stored: methods.encoded) == methods)
        }
        #expect(([] as [EnrolledMethod]).encoded == nil)
        #expect((both.encoded?.count ?? 0) < 128)
    }

    @Test func `another form is corrupt`() throws {
        let stored = try #require(both.encoded)
        let wrong: [[UInt8]] =
            [[], [0x80], stored + [0], [both[1], both[0]].encoded ?? [], [both[0], both[0]].encoded ?? []]
            + stored.truncations
        for bytes in wrong {
            #expect(throws: StoreError(.corrupt)) { _ = try [EnrolledMethod](stored: bytes) }
        }
        for flipped in stored.bitFlips {
            guard let methods = try? [EnrolledMethod](stored: flipped) else { continue }
            #expect(methods != both && methods.encoded == flipped)
        }
    }

    @Test(arguments: [AuthenticationMethod.possession, .password])
    func `a method that no user enrolls is corrupt`(_ method: AuthenticationMethod) throws {
        var other = both[0]
        other.method = method
        #expect(throws: StoreError(.corrupt)) { _ = try [EnrolledMethod](stored: [other].encoded) }
    }
}
