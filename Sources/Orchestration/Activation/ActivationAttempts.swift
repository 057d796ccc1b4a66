internal import Primitives
internal import Synchronization

/// How often codes were tried in vain in this process.
///
/// Whoever answers in the platform's place gets one guess of the code a run, so a code is good for three runs that end
/// with a wrong tag. Runs that end otherwise give away nothing and are not counted (PROTOCOL §2).
final class ActivationAttempts: Sendable {
    static let limit = 3

    /// The ones of this process.
    static let process = ActivationAttempts()

    private struct Code: Hashable {
        let account: AccountName
        let tenant: String
        let handle: UInt16
    }

    private let failures = Mutex<[Code: Int]>([:])

    /// Whether the code may be tried.
    func permits(handle: UInt16, of account: AccountName, tenant: String) -> Bool {
        let code = Code(account: account, tenant: tenant, handle: handle)
        return failures.withLock { $0[code, default: 0] < Self.limit }
    }

    /// Counts a run that ended with a wrong tag.
    func count(handle: UInt16, of account: AccountName, tenant: String) {
        let code = Code(account: account, tenant: tenant, handle: handle)
        failures.withLock { $0[code, default: 0] += 1 }
    }
}
