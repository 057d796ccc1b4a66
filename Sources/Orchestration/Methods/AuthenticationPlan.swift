internal import Primitives

/// The way in which the user authenticates where a method is requested.
struct AuthenticationPlan: Sendable {
    /// The method that the user authenticates with.
    let method: AuthenticationMethod
    /// Why the method is not the requested one; `nil` when it is.
    let fallback: FallbackReason?
    /// The keys of an enrolled method, and their provider.
    let keys: MethodKeys?

    /// The keys of an enrolled method, and their provider.
    struct MethodKeys: Sendable {
        let provider: any MethodKeyProvider
        let key: EnrolledMethodKey
    }

    private init(_ method: AuthenticationMethod, fallback: FallbackReason? = nil, keys: MethodKeys? = nil) {
        self.method = method
        self.fallback = fallback
        self.keys = keys
    }

    /// Whether a record names the keys of the plan. A plan without such keys is always present.
    func isPresent(in record: UserRecord) -> Bool { keys == nil || record.enrolledKey(of: method) == keys?.key }

    /// Creates a plan for possession or the password, which every device has.
    static func activated(_ method: AuthenticationMethod) -> AuthenticationPlan { AuthenticationPlan(method) }

    /// Creates a plan for an enrolled method.
    static func enrolled(_ keys: MethodKeys) -> AuthenticationPlan {
        AuthenticationPlan(keys.key.method, keys: keys)
    }

    /// Creates a plan for the password instead of another method.
    static func password(because reason: FallbackReason) -> AuthenticationPlan {
        AuthenticationPlan(.password, fallback: reason)
    }
}

/// The result of a check of the user.
enum MethodCheck: Sendable {
    /// The keys of the method are released.
    case opened(OpenedMethodKey)
    /// The flow falls back to the password.
    case fallsBack(FallbackReason)
    /// No living person was found. The flow reports it, and falls back to the password.
    case notLiving
    /// The keys no longer exist. The flow falls back to the password.
    case invalidated
    /// The user canceled.
    case aborted
    /// The time has passed.
    case expired
}

extension FlowEnvironment {
    /// Returns how the user of a record authenticates where a method is requested.
    ///
    /// - Throws: `CancellationError`.
    func plan(for method: AuthenticationMethod, of record: UserRecord) async throws -> AuthenticationPlan {
        guard method.isEnrollable else { return .activated(method) }
        guard let provider = methods.first(where: { $0.method == method }) else {
            return .password(because: .notAvailable)
        }
        guard let key = record.enrolledKey(of: method) else { return .password(because: .notEnrolled) }
        switch try await provider.boundedAvailability() {
        case .available: return .enrolled(.init(provider: provider, key: key))
        case .notEnrolled: return .password(because: .notEnrolled)
        case .unavailable: return .password(because: .notAvailable)
        }
    }

    /// Asks the user for the check of an enrolled method.
    ///
    /// - Parameters:
    ///   - keys: The keys to release.
    ///   - dataFields: The fields that the user signs.
    ///   - displayData: The data that the user approves.
    ///   - limit: The time until the subject of the flow expires; `nil` for none.
    /// - Throws: An error of the provider that is not about the user; `CancellationError`.
    func check(
        _ keys: AuthenticationPlan.MethodKeys, of account: AccountName, dataFields: [DataField] = [],
        displayData: String? = nil, within limit: Duration? = nil
    ) async throws -> MethodCheck {
        let prompt = Prompt(
            purpose: .authenticate, method: keys.key.method, account: account.text, texts: configuration.texts,
            displayData: displayData, dataFields: dataFields)
        let open: @Sendable () async throws -> OpenedMethodKey = {
            try await keys.provider.open(handle: keys.key.handle, prompt)
        }
        do {
            guard let limit else { return .opened(try await ProviderCall.run(open)) }
            return try await ProviderCall.run(within: limit, on: time, open).map(MethodCheck.opened) ?? .expired
        } catch let error as UserAuthenticationError {
            return MethodCheck(error)
        }
    }
}

extension MethodCheck {
    /// Creates the result of a check that an error has ended.
    init(_ error: UserAuthenticationError) {
        switch error {
        case .aborted: self = .aborted
        case .failed: self = .fallsBack(.failed)
        case .livenessFailed: self = .notLiving
        case .unavailable: self = .fallsBack(.notAvailable)
        case .invalidated: self = .invalidated
        }
    }
}

extension MethodKeyProvider {
    /// The availability. A canceled call does not wait for a provider that does not return.
    ///
    /// - Throws: `CancellationError`.
    func boundedAvailability() async throws -> Availability { try await ProviderCall.run { await availability() } }
}

extension Orchestrator {
    /// The longest wait for the platform after keys have ended. The user waits for the password prompt during this
    /// time.
    private static let removalLimit = Duration.seconds(5)

    /// Removes the keys of a method that no longer exist from the record, and informs the platform where it can be
    /// reached soon. Otherwise the platform keeps a secret that no device has.
    func dropInvalidated(_ keys: AuthenticationPlan.MethodKeys, of account: AccountName, deviceID: [UInt8]) async throws
    {
        guard try await drop(keys, of: account, deviceID: deviceID) else { return }
        let session = ChannelSession(account: account, orchestrator: self)
        _ = try? await ProviderCall.run(within: Self.removalLimit, on: environment.time) {
            try await session.exchange { record in
                guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
                return .methodRemove(keys.key.method)
            }
        }
        try Task.checkCancellation()
    }

    /// Removes keys from the record, and deletes them. The keys of a later enrollment stay.
    ///
    /// - Returns: Whether the record named the keys.
    @discardableResult
    func drop(
        _ keys: AuthenticationPlan.MethodKeys, of account: AccountName, deviceID: [UInt8]
    ) async throws -> Bool {
        let key = keys.key
        let isDropped = try await environment.vault.update(account) { record in
            guard record.deviceID == deviceID, record.enrolledKey(of: key.method) == key else { return false }
            record.removeMethod(key.method)
            return true
        }
        if isDropped { keys.provider.deleteSoon(key.handle) }
        return isDropped
    }
}

extension MethodKeyProvider {
    /// Deletes a key that no record names, without waiting, because a provider may not return and nothing depends on
    /// the deletion.
    func deleteSoon(_ handle: [UInt8]) {
        Task { try? await deleteKey(handle: handle) }
    }
}
