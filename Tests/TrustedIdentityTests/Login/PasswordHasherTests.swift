import Primitives
import Testing

@testable import TrustedIdentity

struct PasswordHasherTests {
    let password = TypedSecret("correct horse")
    let salt = [UInt8](repeating: 7, count: 16)

    func verifier(_ cost: PasswordHashCost, change: (inout [UInt8]) -> Void = { _ in }) async throws -> TypedSecret {
        let made = try await PasswordHasher(cost: cost).verifier(of: password, salt: salt)
        var bytes = made.withBytes { span in span.indices.map { span[$0] } }
        change(&bytes)
        return TypedSecret(SecretBytes(copying: bytes))
    }

    @Test func `a password is told from others`() async throws {
        let hasher = PasswordHasher(cost: .testing)
        let verifier = try await verifier(.testing)
        #expect(try await hasher.verify(password, against: verifier))
        #expect(try await !hasher.verify(TypedSecret("correct horsf"), against: verifier))
        let damaged = try await self.verifier(.testing) { $0[51] ^= 1 }
        #expect(try await !hasher.verify(password, against: damaged))
    }

    @Test func `a platform refuses what was stored at the cost of tests, unless it is one`() async throws {
        let cheap = try await verifier(.testing)
        await #expect(throws: PlatformError(.internal)) {
            try await PasswordHasher(cost: .standard).verify(password, against: cheap)
        }
        let right = try await verifier(.standard)
        #expect(try await PasswordHasher(cost: .standard).verify(password, against: right))
        #expect(try await PasswordHasher(cost: .testing).verify(password, against: right))
    }

    @Test(arguments: [0, 1, 2, 3]) func `what is no verifier is refused before anything is hashed`(place: Int)
        async throws
    {
        let foreign = try await verifier(.testing) { $0[place] = 30 }
        await #expect(throws: PlatformError(.internal)) {
            try await PasswordHasher(cost: .testing).verify(password, against: foreign)
        }
        await #expect(throws: PlatformError(.internal)) {
            try await PasswordHasher(cost: .testing).verify(password, against: TypedSecret("short"))
        }
    }

    @Test func `only so many wait, the others are told to come back, and room is given back`() async throws {
        let hasher = PasswordHasher(cost: .testing)
        let verifier = try await verifier(.testing)
        for _ in 0..<PasswordHasher.capacity { try hasher.enter() }
        await #expect(throws: PlatformError(.busy)) { try await hasher.verify(password, against: verifier) }
        await #expect(throws: PlatformError(.busy)) { _ = try await hasher.verifier(of: password, salt: salt) }
        hasher.leave()
        for _ in 0..<3 {
            #expect(try await hasher.verify(password, against: verifier))
            await #expect(throws: PlatformError(.internal)) {
                try await hasher.verify(password, against: TypedSecret("short"))
            }
        }
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.cancelAll()
                group.addTask { [password] in try await hasher.verify(password, against: verifier) }
                try await group.waitForAll()
            }
        }
        #expect(try await hasher.verify(password, against: verifier))
    }
}
