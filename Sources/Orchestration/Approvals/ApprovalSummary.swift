package import OrchestrationProtocol
internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A pending approval request, without its display data.
///
/// ``UserHandle/pendingApprovals()`` returns the values. They name requests without their content: open one with
/// ``Orchestrator/openApproval(_:for:domain:)``.
public struct ApprovalSummary: Sendable, Hashable {
    /// The id.
    public let id: ApprovalID

    /// The kind: login, transaction or event.
    public let kind: ApprovalKind

    /// The time at which the platform made the request, by its clock.
    public let created: Date

    /// The time until which the request can be answered, by the platform's clock.
    public let expiry: Date

    /// The time from the list to the expiry of the request; zero after the expiry.
    package let timeLeft: Duration

    /// Whether the platform announces the request. It does not announce a request over the limits of its policy, such
    /// as one after a rejection with the reason `notMe`. Show such a request only when the user opens the app.
    public let isAnnounced: Bool

    /// A pointer to the request.
    package let pointer: OrchestrationCommand

    init(_ approval: OrchestrationProtocol.PendingApproval, tenant: String, now: Timestamp) {
        id = ApprovalID(checked: approval.id)
        kind = approval.kind
        created = approval.created.date
        expiry = approval.expiry.date
        timeLeft = .milliseconds(max(0, approval.expiry.milliseconds(since: now)))
        isAnnounced = approval.isAnnounced
        pointer = ApprovalPointer(tenant: tenant, id: approval.id).command
    }
}
