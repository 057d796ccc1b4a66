internal import Primitives
internal import Wire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An approval request that waits for an answer, without what the user would approve.
///
/// ``Orchestrator/pendingApprovals(for:domain:)`` returns the values. They name requests and show nothing of them: open one
/// with ``Orchestrator/openApproval(_:for:domain:)``.
public struct ApprovalSummary: Sendable, Hashable {
    /// The id.
    public let id: ApprovalID

    /// The kind: login, transaction or event.
    public let kind: ApprovalKind

    /// The time at which the platform made the request, by its clock.
    public let created: Date

    /// The time until which the request can be answered, by the platform's clock.
    public let expiry: Date

    /// The time until the request expired, at the time of the list.
    public let timeLeft: Duration

    /// Whether the platform notifies the user of the request. A request over the limits of its policy, such as one after a
    /// rejection as not the user's, waits without a notification. Show it when the user opens the app, and not before.
    public let isAnnounced: Bool

    /// A pointer to the request, for ``Orchestrator/execute(_:)``.
    public let pointer: OrchestrationCommand

    init(_ approval: Wire.PendingApproval, tenant: String, now: Timestamp) {
        id = ApprovalID(checked: approval.id)
        kind = approval.kind
        created = approval.created.date
        expiry = approval.expiry.date
        timeLeft = .milliseconds(max(0, approval.expiry.milliseconds(since: now)))
        isAnnounced = approval.isAnnounced
        pointer = ApprovalPointer(tenant: tenant, id: approval.id).command
    }
}
