internal import OrchestrationProtocol
package import Primitives

/// A signed answer to an approval request whose receipt the device does not have.
///
/// An answer is stored before it is sent, because an app that is killed and started again must send the same bytes to
/// get the receipt. It contains the user's decision and the matching number. It contains nothing that was made from the
/// password: the proof is sent next to it and is made again for each message.
package struct PendingAnswer: Sendable, Hashable {
    /// The maximum number of answers in a record.
    static let maximumCount = 8

    /// The maximum length of an answer in bytes. One without extensions has about 170.
    static let maximumAnswerBytes = 512

    /// The maximum length of an element of the record in bytes.
    static let maximumEncodedBytes = maximumAnswerBytes + 72

    /// The id of the approval request, 16 bytes.
    package let id: [UInt8]

    /// The expiry of the approval request, by the platform's clock.
    package let expiry: Timestamp

    /// The `COSE_Sign1` of the answer.
    package let answer: [UInt8]

    /// The public key of the enrolled method that has signed the answer, 33 bytes; `nil` where the device key has
    /// signed. The user may enroll the method again before the receipt arrives.
    package var methodKey: [UInt8]?
}

extension UserRecord {
    /// Returns the answer to an approval request.
    func pendingAnswer(to id: [UInt8]) -> PendingAnswer? { pendingAnswers.first { $0.id == id } }

    /// Keeps an answer instead of an earlier one to the same request. Answers to requests that have expired are
    /// dropped. If there are still too many, the answer with the earliest expiry is also dropped.
    ///
    /// - Parameter now: The platform's time.
    mutating func keep(_ answer: PendingAnswer, at now: Timestamp) {
        pendingAnswers.removeAll { $0.id == answer.id || $0.expiry <= now }
        if pendingAnswers.count == PendingAnswer.maximumCount,
            let first = pendingAnswers.indices.min(by: { pendingAnswers[$0].expiry < pendingAnswers[$1].expiry })
        {
            pendingAnswers.remove(at: first)
        }
        pendingAnswers.append(answer)
    }

    /// Drops the answer to an approval request.
    mutating func dropAnswer(to id: [UInt8]) { pendingAnswers.removeAll { $0.id == id } }
}

extension RecordForm<[PendingAnswer]> {
    /// A record without answers contains no field for them.
    static var pendingAnswers: Self {
        list(of: .pendingAnswer, maximum: PendingAnswer.maximumCount) {
            !$0.isEmpty && Set($0.map(\.id)).count == $0.count
        }
    }
}

extension RecordForm<PendingAnswer> {
    fileprivate static var pendingAnswer: Self {
        Self { reader throws(WireError) in
            let start = reader.offset
            let members = try reader.readArray(maximum: 4)
            guard members >= 3 else { throw WireError(.unexpectedCount, offset: start) }
            return PendingAnswer(
                id: try reader.readBytes(count: FieldSize.identifier),
                expiry: Timestamp(millisecondsSinceEpoch: try reader.readInteger()),
                answer: try reader.readBytes(maximum: PendingAnswer.maximumAnswerBytes),
                methodKey: members == 4 ? try reader.readBytes(count: FieldSize.p256Key) : nil)
        } write: { writer, answer in
            writer.array(answer.methodKey == nil ? 3 : 4)
            writer.bytes(answer.id)
            writer.integer(answer.expiry.millisecondsSinceEpoch)
            writer.bytes(answer.answer)
            if let key = answer.methodKey { writer.bytes(key) }
        }
    }
}
