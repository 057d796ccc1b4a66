internal import Wire

/// A refusal that came under the platform's seal.
struct ChannelRefusal: Sendable, Hashable {
    let code: RefusalCode
    let remainingTries: Int?
    let retryAfterMilliseconds: Int64?

    init(_ refusal: Refusal) {
        code = refusal.code
        remainingTries = refusal.remainingTries.map { Int(clamping: $0) }
        retryAfterMilliseconds = refusal.retryAfter.map { Int64(clamping: $0) }
    }

    var isWrongPassword: Bool { code == .wrongPassword }

    var isPendingExpired: Bool { code == .pendingExpired }

    /// What the refusal means to the app.
    var cause: AbortCause {
        switch code {
        case .locked: .locked
        case .ratchetOutdated, .cloneSuspected: .cloneSuspected
        case .revoked: .revoked
        case .rateLimited: .rateLimited(retryAfterMilliseconds: retryAfterMilliseconds)
        default: .refused(code: code.rawValue)
        }
    }
}
