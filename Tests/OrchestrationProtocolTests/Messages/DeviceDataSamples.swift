import OrchestrationProtocol

/// The device data of the vector file, and the messages with them, made with the library.
enum DeviceDataSamples {
    private static func fill(_ byte: UInt8, _ count: Int) -> [UInt8] { MessageSamples.fill(byte, count) }

    static let everyField: [UInt64: DeviceDataValue] = [
        1: .text("Linux"), 2: .text("6.8"), 3: .text("x86_64"), 4: .text("de_AT"), 5: .text("Europe/Vienna"),
        6: .integer(86_400), 7: .text("2.1"), 8: .text("1.0.0"), 9: .text("xterm-256color"), 16: .text("2026-02-28"),
        17: .boolean(false), 18: .boolean(true), 19: .text(#"{"branch":"Graz"}"#), 32: .texts(["ethernet", "tunnel"]),
        40: .boolean(true), 41: .hash(fill(0x9A, 16)), 48: .boolean(true), 56: .integer(48_210_000),
        57: .integer(-16_370_000), 58: .integer(1_000), 900: .text("later"),
    ]

    /// Fields with 4,096 bytes together.
    static let largest: [UInt64: DeviceDataValue] = [
        19: .text(String(repeating: "x", count: 1024)), 900: .text(String(repeating: "y", count: 1024)),
        901: .text(String(repeating: "z", count: 1024)), 902: .text(String(repeating: "w", count: 1001)),
    ]

    static let textLimits: [UInt64: Int] = [
        1: 64, 2: 64, 3: 32, 4: 64, 5: 64, 7: 64, 8: 32, 9: 64, 19: 1024, 41: 32, 900: 1024,
    ]

    static func all() throws -> [String: any WireForm] {
        let data = try DeviceData(numbered: everyField)
        let synchronize = RequestBody.synchronize(
            generation: 2,
            counters: [
                ApplicationCounter(application: 2, counter: 17),
                ApplicationCounter(application: 4, counter: UInt64(Int64.max)),
            ], capabilities: [1, 3, 300], statement: 12, notice: 1_790_000_000_000)
        let accepted = MessageSamples.answer(UserDeleteMessage.type, .accepted(.userDelete))
        var samples: [String: any WireForm] = [
            "RequestMessage device.data": MessageSamples.request(.deviceData(try DeviceDataMessage(event: "login"))),
            "RequestMessage device.data, with application data": MessageSamples.request(
                .deviceData(
                    try DeviceDataMessage(event: String(repeating: "e", count: 64), applicationData: #"{"a":1}"#))),
            "RequestMessage synchronize, with device data": with(MessageSamples.request(synchronize)) {
                $0.extensions = .deviceData(.full(data.encoded))
            },
            "RequestMessage synchronize, with the hash of device data": with(MessageSamples.request(synchronize)) {
                $0.extensions = .deviceData(.hash(data.hash))
            },
            "AnswerMessage device.data": MessageSamples.answer(DeviceDataMessage.type, .accepted(.deviceData)),
            "AnswerMessage a wish for device data in full": with(accepted) {
                $0.extensions = .answer(.unknown)
            },
            "AnswerMessage a refusal of device data": with(accepted) {
                $0.extensions = .answer(.refused(field: 17))
            },
        ]
        for (name, values) in try rows() { samples["DeviceData \(name)"] = try DeviceData(numbered: values) }
        return samples
    }

    private static func rows() throws -> [String: [UInt64: DeviceDataValue]] {
        var rows: [String: [UInt64: DeviceDataValue]] = [
            "all fields": everyField,
            "one field": [17: .boolean(true)],
            "64 fields": Dictionary(uniqueKeysWithValues: (0..<64).map { (1_000 + $0, .integer(Int64($0))) }),
            "4,096 bytes": largest,
            "unknown fields": [
                900: .text(String(repeating: "t", count: 1024)), 901: .integer(.min), 902: .integer(.max),
                903: .boolean(false), 904: .hash(fill(1, 16)), 905: .texts(Array(repeating: "a", count: 16)),
                UInt64(Int64.max): .integer(0),
            ],
            "keyed hashes": Dictionary(
                uniqueKeysWithValues: everyField.keys.map { ($0, .hash(fill(UInt8($0 % 256), 16))) }),
            "the extremes": [
                6: .integer(0), 16: .text("0000-01-01"), 56: .integer(-90_000_000), 57: .integer(180_000_000),
                58: .integer(1_000_000),
            ],
        ]
        for (number, limit) in textLimits {
            rows["field \(number) with the most bytes"] = [number: .text(String(repeating: "x", count: limit))]
        }
        return rows
    }

    private static func with<Message>(_ message: Message, _ change: (inout Message) -> Void) -> Message {
        var message = message
        change(&message)
        return message
    }
}
