internal import Primitives

/// An event of an approval. The cases are in the order of the events.
public enum ApprovalEvent: Sendable, Hashable {
    /// The request was created and is pending. The report contains the pointer and the number that the site shows.
    case requested(ApprovalReport)
    /// A device has fetched the request.
    case opened(ApprovalReport)
    /// The approval has ended. No event follows.
    case ended(ApprovalReport)
}

extension Platform {
    /// Requests an approval, and returns its events until the end.
    ///
    /// ```swift
    /// for try await event in platform.approvals(.init(.login, of: alice)) {
    ///     switch event {
    ///     case .requested(let report): show(report.numberToMatch)
    ///     case .opened: break
    ///     case .ended(let report): return report.status == .accepted
    ///     }
    /// }
    /// ```
    ///
    /// The work runs in the task that iterates, and starts with the first iteration. When the loop is left or its task
    /// is canceled, the request does not change; ``cancelApproval(requestID:of:notice:)`` cancels it.
    ///
    /// - Parameter parameters: The data that the user is asked to approve.
    /// - Returns: The events, with exactly one ``ApprovalEvent/ended(_:)`` at the end. The sequence throws what
    ///   ``requestApproval(_:)`` and ``approval(requestID:of:waiting:)`` throw.
    public func approvals(_ parameters: ApprovalParameters) -> AsyncThrowingStream<ApprovalEvent, any Error> {
        let course = ApprovalCourse(platform: self, parameters: parameters)
        return AsyncThrowingStream { try await course.next() }
    }
}

/// The progress of one approval: the latest report.
private actor ApprovalCourse {
    private let platform: Platform
    private let parameters: ApprovalParameters
    private var latest: ApprovalReport?
    private var isEnded = false

    init(platform: Platform, parameters: ApprovalParameters) {
        self.platform = platform
        self.parameters = parameters
    }

    /// Returns the next event; `nil` after the end.
    func next() async throws -> ApprovalEvent? {
        guard !isEnded else { return nil }
        let report: ApprovalReport
        if let latest {
            report = try await platform.change(of: latest)
        } else {
            report = try await platform.requestApproval(parameters)
        }
        let isFirst = latest == nil
        latest = report
        guard report.status == .pending else {
            isEnded = true
            return .ended(report)
        }
        return isFirst ? .requested(report) : .opened(report)
    }
}

extension Platform {
    /// Waits until a request is opened or ends.
    fileprivate func change(of report: ApprovalReport) async throws -> ApprovalReport {
        guard let id = report.id else { return report }
        return try await watch.waiting(for: .approvalRequest(id)) { changes in
            while true {
                try Task.checkCancellation()
                let current = try await approval(id: id)
                if current.status != .pending || current.isOpened != report.isOpened { return current }
                try await changes.next(within: untilExpiry(of: current), on: time)
            }
        }
    }
}
