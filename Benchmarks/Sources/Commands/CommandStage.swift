import OrchestrationProtocol
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Registers encoding, decoding and the text forms, each with a copy of the same bytes as floor and Foundation as peer.
func commandBenchmarks() {
    encodingBenchmarks()
    decodingBenchmarks()
    textBenchmarks()
}

/// A request of ten fields and the same fields for Foundation's coders, each with its encoding.
struct CommandStage {
    /// The size for which the goals are written.
    static let byteCount = 248

    let message: RequestMessage
    let bytes: [UInt8]
    let twin: Twin
    let json: Data

    init() throws {
        let identifier = String(repeating: "fcm:4f1c9e", count: 15).prefix(143)
        message = RequestMessage(
            MessageHead(
                tenant: "default", account: "alice@master.example", deviceID: [UInt8](repeating: 0x33, count: 16),
                requestID: [UInt8](repeating: 0x72, count: 16),
                time: Timestamp(millisecondsSinceEpoch: 1_790_000_000_123), ratchetIndex: 1_234),
            body: .notificationsRegister(identifier: String(identifier)))
        bytes = message.encoded
        precondition(bytes.count == Self.byteCount, "the goals are written for another size")
        twin = Twin(message, identifier: String(identifier))
        json = try JSONEncoder().encode(twin)
    }

    /// The fields of the request as a `Codable` type.
    struct Twin: Codable {
        let type: String
        let direction: Int
        let tenant: String
        let account: String
        let deviceID: Data
        let requestID: Data
        let time: Int64
        let ratchetIndex: UInt64
        let reread: Bool
        let body: [String]

        init(_ message: RequestMessage, identifier: String) {
            type = message.type.requestName
            direction = 0
            tenant = message.tenant
            account = message.account
            deviceID = Data(message.deviceID)
            requestID = Data(message.requestID)
            time = message.time.millisecondsSinceEpoch
            ratchetIndex = message.ratchetIndex
            reread = message.reread
            body = [identifier]
        }
    }
}

#if BenchmarkPeers
    extension ProtobufRequest {
        init(_ twin: CommandStage.Twin) {
            self.init()
            type = twin.type
            direction = UInt32(twin.direction)
            tenant = twin.tenant
            account = twin.account
            deviceID = twin.deviceID
            requestID = twin.requestID
            time = twin.time
            ratchetIndex = twin.ratchetIndex
            reread = twin.reread
            body = twin.body
        }
    }
#endif
