import Primitives
import Testing

@testable import TrustedIdentity

struct PasswordHasherTests {
    let password = SecretBox("correct horse")
    let salt = [UInt8](repeating: 7, count: 16)

    func verifier(_ cost: ScryptCost, change: (inout [UInt8]) -> Void = { _ in }) async throws -> SecretBox<
        SecretBytes
    > {
        let made = try await PasswordHasher(cost: cost).verifier(of: password, salt: salt, account: "alice")
        var bytes = made.withBytes { span in span.indices.map { span[$0] } }
        change(&bytes)
        return SecretBox(SecretBytes(copying: bytes))
    }

    @Test func `a right password is distinguished from wrong ones`() async throws {
        let hasher = PasswordHasher(cost: .testing)
        let verifier = try await verifier(.testing)
        #expect(try await hasher.verify(password, against: verifier, account: "alice"))
        #expect(try await !hasher.verify(SecretBox("correct horsf"), against: verifier, account: "alice"))
        let damaged = try await self.verifier(.testing) { $0[51] ^= 1 }
        #expect(try await !hasher.verify(password, against: damaged, account: "alice"))
    }

    @Test func `a verifier at the cost of tests is refused outside of tests`() async throws {
        let cheap = try await verifier(.testing)
        await #expect(throws: PlatformError(.internal)) {
            try await PasswordHasher(cost: .standard).verify(password, against: cheap, account: "alice")
        }
        let right = try await verifier(.standard)
        #expect(try await PasswordHasher(cost: .standard).verify(password, against: right, account: "alice"))
        #expect(try await PasswordHasher(cost: .testing).verify(password, against: right, account: "alice"))
    }

    @Test(arguments: [0, 1, 2, 3]) func `a malformed verifier is refused before a hash`(place: Int)
        async throws
    {
        let foreign = try await verifier(.testing) { $0[place] = 30 }
        await #expect(throws: PlatformError(.internal)) {
            try await PasswordHasher(cost: .testing).verify(password, against: foreign, account: "alice")
        }
        await #expect(throws: PlatformError(.internal)) {
            try await PasswordHasher(cost: .testing).verify(
                password, against: SecretBox<SecretBytes>("short"), account: "alice")
        }
    }

    @Test func `callers over the limit get busy, and a caller that leaves frees its place`() async throws {
        let hasher = PasswordHasher(cost: .testing)
        let verifier = try await verifier(.testing)
        for place in 0..<PasswordHasher.capacity { try hasher.enter("user\(place)") }
        await #expect(throws: PlatformError(.busy)) {
            try await hasher.verify(password, against: verifier, account: "alice")
        }
        await #expect(throws: PlatformError(.busy)) {
            _ = try await hasher.verifier(of: password, salt: salt, account: "alice")
        }
        hasher.leave("user0")
        for _ in 0..<3 {
            #expect(try await hasher.verify(password, against: verifier, account: "alice"))
            await #expect(throws: PlatformError(.internal)) {
                try await hasher.verify(password, against: SecretBox<SecretBytes>("short"), account: "alice")
            }
        }
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.cancelAll()
                group.addTask { [password] in try await hasher.verify(password, against: verifier, account: "alice") }
                try await group.waitForAll()
            }
        }
        #expect(try await hasher.verify(password, against: verifier, account: "alice"))
    }

    @Test func `an account has a few of the places, and others have the rest`() async throws {
        let hasher = PasswordHasher(cost: .testing)
        let verifier = try await verifier(.testing)
        for _ in 0..<PasswordHasher.capacityPerAccount { try hasher.enter("mallory") }
        await #expect(throws: PlatformError(.busy)) {
            try await hasher.verify(password, against: verifier, account: "mallory")
        }
        #expect(try await hasher.verify(password, against: verifier, account: "alice"))
        hasher.leave("mallory")
        #expect(try await hasher.verify(password, against: verifier, account: "mallory"))
    }
}
