package import Primitives

/// A request for the account's pending approval requests.
package struct ApprovalListMessage: ChannelMessage {
    package static let type = MessageType("approval.list")

    package init() {}

    package init(from reader: inout CBORReader) throws(WireError) { try reader.readArray(count: 0) }

    package func write(to output: inout some CBOROutput) { output.array(0) }

    package var body: RequestBody { .approvalList }

    /// The approval requests, the oldest first.
    package struct Answer: MessageBody {
        /// At most 16, in ascending order of their creation, each id once.
        package var approvals: [PendingApproval]

        package init(approvals: [PendingApproval]) { self.approvals = approvals }

        package init(from reader: inout CBORReader) throws(WireError) {
            let count = try reader.readArray(maximum: FieldLimit.approvals)
            approvals = []
            for _ in 0..<count {
                let start = reader.offset
                let approval = try PendingApproval(from: &reader)
                let isInOrder = approvals.last.map { $0.created <= approval.created } ?? true
                guard isInOrder, !approvals.contains(where: { $0.id == approval.id }) else {
                    throw WireError(.invalidValue, offset: start)
                }
                approvals.append(approval)
            }
        }

        package func write(to output: inout some CBOROutput) {
            output.array(approvals.count)
            for approval in approvals { approval.write(to: &output) }
        }
    }
}

/// A pending approval request, without its display data.
package struct PendingApproval: Sendable, Hashable {
    /// 16 bytes.
    package var id: [UInt8]

    package var kind: ApprovalKind

    package var created: Timestamp

    /// 1 to 300 seconds after ``created``.
    package var expiry: Timestamp

    /// Whether the platform announces the request on streams.
    package var isAnnounced: Bool

    package init(id: [UInt8], kind: ApprovalKind, created: Timestamp, expiry: Timestamp, isAnnounced: Bool) {
        self.id = id
        self.kind = kind
        self.created = created
        self.expiry = expiry
        self.isAnnounced = isAnnounced
    }

    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 5)
        id = try reader.readBytes(count: FieldSize.identifier)
        kind = try reader.readCase(ApprovalKind.self)
        created = try reader.readTime()
        expiry = try reader.readExpiry(of: created)
        isAnnounced = try reader.readBoolean()
    }

    func write(to output: inout some CBOROutput) {
        output.array(5)
        output.bytes(id)
        output.unsigned(UInt64(kind.rawValue))
        output.time(created)
        output.time(expiry)
        output.boolean(isAnnounced)
    }
}

extension AnswerBody {
    package static func approvalList(_ approvals: [PendingApproval]) -> AnswerBody {
        AnswerBody(ApprovalListMessage.Answer(approvals: approvals), to: ApprovalListMessage.self)
    }
}
