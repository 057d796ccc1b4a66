public import Primitives

extension Platform {
    /// Decides whether what a user typed logs them in.
    ///
    /// An unknown user, a blocked one and a wrong code take the same work and, but for the reason, give the same answer.
    /// An accepted code is never accepted again, however many try at once.
    ///
    /// - Parameter request: who, what they typed, and where.
    /// - Returns: the decision. Its reason is not for an application server.
    /// - Throws: ``PlatformError`` with `storeFailed`, `busy`.
    public func login(_ request: LoginRequest) async throws -> LoginDecision {
        throw PlatformError(.internal)
    }

    /// Measures how far a device's clock or counter is off, from two codes that followed each other.
    ///
    /// - Parameters:
    ///   - account: whose authenticator; it need not exist.
    ///   - codes: the two codes as typed, in the order of their making.
    ///   - application: the crypto application index that made them, 1…8.
    /// - Throws: ``PlatformError`` with `codesRefused` when they are not two successive codes of a device, when the
    ///   account is blocked and when it is unknown; counted like a failed login.
    public func synchronizeAuthenticator(
        _ account: AccountName, codes: (String, String), application: UInt8 = 1
    ) async throws {
        throw PlatformError(.codesRefused)
    }
}
