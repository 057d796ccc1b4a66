import OrchestrationProtocol
import Primitives
import TrustedIdentity

@testable import Orchestration

/// An approval request of a walk, with what the walk has seen of its end.
struct AskedApproval: Sendable {
    let requestID: String
    let id: ApprovalID
    let pointer: OrchestrationCommand
    let display: DisplayData
    /// The number that the site shows; `nil` for none.
    let number: String?
    let expiresAt: Timestamp
    /// The method by which the user answers.
    let method: AuthenticationMethod?
    /// The receipts that the devices and the application server have got.
    var receipts: Set<[UInt8]> = []
    /// The end that the platform has stored.
    var end: ApprovalState?
    /// Whether the platform was restored since it was made. The backup may know nothing of it, or of its end.
    var isBeforeRestore = false

    init(_ report: ApprovalReport, display: DisplayData) throws {
        guard let id = report.id.flatMap(ApprovalID.init(bytes:)), let pointer = report.pointer,
            let expiresAt = report.expiresAt
        else { throw FlowContractError("a pending report without an id, a pointer or an expiry") }
        requestID = report.requestID
        self.id = id
        self.pointer = pointer
        self.display = display
        number = report.numberToMatch
        self.expiresAt = expiresAt
        method = report.method
    }
}

/// What the user of a walk decides about an approval request.
enum WalkDecision: Sendable, Equatable {
    case approve
    case approveWithWrongNumber
    case reject(RejectionReason)
    /// The loop goes on without a decision.
    case none

    /// Records the decision.
    ///
    /// - Parameter number: The number that the site shows.
    func record(in request: ApprovalRequest, number: String?) throws {
        switch self {
        case .approve: try request.recordApproval(number: number)
        case .approveWithWrongNumber: try request.recordApproval(number: number.map(Self.wrong))
        case .reject(let reason): try request.recordRejection(reason)
        case .none: break
        }
    }

    /// Returns another number of the same length.
    private static func wrong(_ number: String) -> String {
        (number.hasPrefix("0") ? "1" : "0") + number.dropFirst()
    }
}
