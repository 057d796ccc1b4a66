extension RequestBody {
    /// Where the members of a body stand in the bytes that came.
    package enum View: Sendable {
        case activationPassword
        case activationComplete(receiptHash: Range<Int>)
        case notificationsRegister(identifier: Range<Int>)
        /// The encoded array of the counters.
        case synchronize(generation: UInt64, counters: Range<Int>)
        case userDelete

        @inline(__always)
        init(_ type: MessageType, from reader: inout CBORScanner) throws(WireError) {
            switch type {
            case .activationPassword:
                try reader.readArray(count: 0)
                self = .activationPassword
            case .activationComplete:
                try reader.readArray(count: 1)
                self = .activationComplete(receiptHash: try reader.findBytes(count: FieldSize.hash))
            case .notificationsRegister:
                try reader.readArray(count: 1)
                self = .notificationsRegister(
                    identifier: try reader.findName(maximumBytes: FieldLimit.notificationIdentifier))
            case .synchronize:
                try reader.readArray(count: 2)
                let generation = try reader.readUnsigned(in: 0...FieldLimit.number)
                let start = reader.offset
                try ApplicationCounter.readList(from: &reader) { _ in }
                self = .synchronize(generation: generation, counters: start..<reader.offset)
            case .userDelete:
                try reader.readArray(count: 0)
                self = .userDelete
            }
        }
    }

    /// Copies the members out of the bytes that a view is of.
    init(_ view: View, in bytes: [UInt8]) throws(WireError) {
        switch view {
        case .activationPassword:
            self = .activationPassword
        case .activationComplete(let receiptHash):
            self = .activationComplete(receiptHash: bytes.copy(receiptHash))
        case .notificationsRegister(let identifier):
            self = .notificationsRegister(identifier: bytes.text(identifier))
        case .synchronize(let generation, let range):
            let counters = unsafe try bytes.span.withUnsafeBytes { memory throws(WireError) in
                var counters: [ApplicationCounter] = []
                var scanner = unsafe CBORScanner(memory)
                scanner.skip(to: range.lowerBound)
                try ApplicationCounter.readList(from: &scanner) { counters.append($0) }
                return counters
            }
            self = .synchronize(generation: generation, counters: counters)
        case .userDelete:
            self = .userDelete
        }
    }
}
