internal import Logging
internal import Primitives

extension UserHandle {
    /// Returns the approval requests of the user, as they arrive.
    ///
    /// ```swift
    /// for try await request in alice.approvalRequests() {
    ///     let answer = try await request.approve(number: typed)
    /// }
    /// ```
    ///
    /// Requests that already wait come first, and each request comes once. The sequence keeps a stream to the platform
    /// open, and opens it again when it breaks; without a transport that has streams, it polls. Failures of the network
    /// do not end the sequence: it tries again after a pause of up to a minute. A request that expires, or that is
    /// answered or canceled elsewhere before it could be opened, is left out. A request that this version cannot show,
    /// or whose signature fails three times, is also left out; ``openApproval(_:)-(ApprovalID)`` throws the reason.
    ///
    /// A call of ``ApprovalRequest/approve(number:)`` or ``ApprovalRequest/reject(_:by:)`` that failed after its answer
    /// was made durable leaves the answer on the device. The sequence sends it again, before it waits for the next
    /// request; where the platform needs it, the user is asked for the password again. The sequence does not return the
    /// receipt of such an answer: to get it, call ``openApproval(_:)-(ApprovalID)`` before you ask for the next
    /// request.
    ///
    /// The work is done in the task that iterates. While the app handles a request, further ones wait. A platform does
    /// not announce requests over the limits of its policy: ``pendingApprovals()`` returns all of them.
    ///
    /// - Parameters:
    ///   - stream: The transport of the stream; by default the orchestrator's transport, if it has streams.
    ///   - interval: The time between two polls without a stream, more than zero. A random part of up to one half is
    ///     subtracted.
    /// - Returns: The requests, for one consumer. The sequence throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `invalidConfiguration` for an interval that is not positive; the code of a refusal; the errors of the store
    ///   and the device key; `CancellationError`.
    public func approvalRequests(
        over stream: (any NotificationTransport)? = nil, pollingEvery interval: Duration = .seconds(30)
    ) -> AsyncThrowingStream<ApprovalRequest, any Error> {
        let pointers = NotificationFeed(
            user: name, orchestrator: orchestrator,
            transport: stream ?? environment.transport as? any NotificationTransport, pollingInterval: interval)
        let feed = ApprovalRequestFeed(user: self, pointers: pointers)
        return AsyncThrowingStream {
            guard interval > .zero else { throw OrchestrationError(.invalidConfiguration) }
            return try await feed.next()
        }
    }
}

/// The approval requests of one user. It works while its consumer waits for the next one.
private actor ApprovalRequestFeed {
    /// The number of invalid answers after which a request is left out.
    private static let maximumInvalidAnswers = 3

    private let user: UserHandle
    private let pointers: NotificationFeed
    private var isBusy = false
    /// The requests that the app got and whose answers may wait on the device.
    private var delivered: [ApprovalRequest] = []

    init(user: UserHandle, pointers: NotificationFeed) {
        self.user = user
        self.pointers = pointers
    }

    /// Returns the next request; `nil` after an error.
    func next() async throws -> ApprovalRequest? {
        guard !isBusy else { throw OrchestrationError(.consumedTwice) }
        isBusy = true
        defer { isBusy = false }
        if let request = try await sendKeptAnswers() { return request }
        while let pointer = try await pointers.next() {
            if let request = try await open({ try await user.execute(pointer) }) { return request }
        }
        return nil
    }

    /// Sends the answers again that the calls of the app have left on the device.
    ///
    /// - Returns: A request whose answer the device no longer keeps. The user must decide again.
    private func sendKeptAnswers() async throws -> ApprovalRequest? {
        delivered.removeAll { $0.timeLeft == .zero && !$0.box.hasLeftAnswer }
        for request in delivered where request.box.hasLeftAnswer {
            let again = try await open { try await user.openApproval(request.id) }
            delivered.removeAll { $0.box === request.box }
            if let again { return again }
        }
        return nil
    }

    /// Opens a request, and tries again after a pause while a failure is temporary.
    ///
    /// - Returns: `nil` for a request that is left out, or whose kept answer was sent.
    private func open(_ body: () async throws -> UserHandle.Execution) async throws -> ApprovalRequest? {
        var failures = 0
        var invalidAnswers = 0
        while true {
            do {
                guard case .approvalRequest(let request) = try await body() else { return nil }
                delivered.append(request)
                return request
            } catch let error as OrchestrationError {
                if error.code == .invalidAnswer { invalidAnswers += 1 }
                let isLeftOut = error.leavesRequestOut || invalidAnswers == Self.maximumInvalidAnswers
                guard isLeftOut || error.isTemporary else { throw error }
                user.environment.logger.debug("request not opened", metadata: ["error.code": "\(error.code)"])
                if isLeftOut { return nil }
            }
            failures += 1
            try await user.environment.time.sleep(
                for: NotificationPace.pause(afterFailures: failures, random: user.environment.random))
        }
    }
}

extension OrchestrationError {
    /// Whether the failure is about one request, and others can come.
    fileprivate var leavesRequestOut: Bool {
        Code.outdated.contains(code)
            || [.cannotDisplay, .canceled, .superseded, .wrongNumber, .methodRefused, .inputRejectedTooOften]
                .contains(code)
    }
}
