import Orchestration
import OrchestrationProtocol

/// A field that a record may have, with the reason why it reveals nothing of the password.
///
/// The record must not hold a check value of the password. The test therefore names every field that is stored: a new
/// field fails it until the field is listed here with its reason.
struct StoredField: Sendable {
    /// The name in reports.
    let name: String

    /// The name in the record.
    let key: String

    /// The reason why the record may have the field.
    let why: String

    /// Whether the value may differ between two moments of an activated device's life.
    let mayChange: Bool

    let isAsExpected: @Sendable (CBORValue) -> Bool

    init(
        _ name: String, _ key: String, _ why: String, mayChange: Bool = false,
        _ isAsExpected: @escaping @Sendable (CBORValue) -> Bool
    ) {
        self.name = name
        self.key = key
        self.why = why
        self.mayChange = mayChange
        self.isAsExpected = isAsExpected
    }

    /// The fields. Those of which the check accepts null may be absent.
    static let all: [StoredField] = [
        StoredField("account", "account", "names the user") { $0.isArray(of: [{ $0.isText }, { $0.isText }]) },
        StoredField("tenant", "tenant", "names the platform's tenant") { $0.isText },
        StoredField(
            "state", "state", "a number and, before the activation is finished, the hash of the platform's answer"
        ) {
            $0.isArray(of: [{ $0.isNumber }]) || $0.isArray(of: [{ $0.isNumber }, { $0.isBytes(32) || $0.isText }])
        },
        StoredField("device id", "deviceID", "drawn by the platform") { $0.isBytes(16) },
        StoredField("serial numbers", "serials", "drawn by the platform") {
            $0.isArray(of: [{ $0.isText }, { $0.isText }])
        },
        StoredField("handle of the activation password", "passwordHandle", "the public part of a code that is spent") {
            $0.isNumber
        },
        StoredField("pending until", "pendingUntil", "a time of the platform") { $0.isNumber },
        StoredField("activated at", "activatedAt", "a time of the platform") { $0.isNumber || $0.isNull },
        StoredField("suite", "suite", "a number") { $0.isNumber },
        StoredField("pre-shared key", "presharedKey", "from the key exchange; independent of K₁ by its label") {
            $0.isBytes(32)
        },
        StoredField("key statement of the platform", "!platformKeys", "public") { value in
            guard case .array(let members) = value, members.count == 5, members[0].isNumber,
                members[1].isNull || members[1].isBytes(32), members[2].isNumber,
                case .array(let keys) = members[3], members[4] == .map([:])
            else { return false }
            return keys.allSatisfy {
                $0.isArray(of: [
                    { $0.isBytes(8) }, { $0.isNumber }, { $0.integer != nil }, { $0.isBytes(32) || $0.isBytes(1_216) },
                    { $0.isNumber }, { $0.isNumber || $0.isNull },
                ])
            }
        },
        StoredField("algorithm of the device key", "keyAlgorithm", "the same for every device") {
            $0 == .integer(-9)
        },
        StoredField("C", "maskedSecret", "K₁ under a pad; every password gives a candidate") { $0.isBytes(32) },
        StoredField("salt", "salt", "drawn") { $0.isBytes(32) },
        StoredField("cost", "cost", "three numbers from a list") {
            $0.isArray(of: [{ $0.isNumber }, { $0.isNumber }, { $0.isNumber }])
        },
        StoredField("generation", "generation", "how often the password was changed") { $0.isNumber },
        StoredField("K₂n", "possession", "from the key exchange; independent of K₁ by its label") { $0.isBytes(32) },
        StoredField("D", "ratchet", "the ratchet at its present index; independent of K₁", mayChange: true) {
            $0.isBytes(32)
        },
        StoredField("index of D", "ratchetIndex", "a count of contacts", mayChange: true) { $0.isNumber },
        StoredField("a", "ratchetInput", "drawn", mayChange: true) { $0.isBytes(32) || $0.isNull },
        StoredField("time of the move to D", "ratchetMovedAt", "a time", mayChange: true) { $0.integer != nil },
        StoredField("PIN policy", "pinPolicy", "the same for every user") {
            $0.isArray(of: [{ $0.isNumber }, { $0.isNumber }, { $0.isBoolean }, { $0.isNumber }])
        },
        StoredField("PIN policy of a new password", "nextPINPolicy", "the same for every user", mayChange: true) {
            $0.isArray(of: [{ $0.isNumber }, { $0.isNumber }, { $0.isBoolean }, { $0.isNumber }]) || $0.isNull
        },
        StoredField("applications", "applications", "the same for every user") { value in
            guard case .array(let applications) = value else { return false }
            return applications.allSatisfy {
                $0.isArray(of: [
                    { $0.isNumber }, { $0.isNumber }, { $0.isNumber }, { $0.isNumber }, { $0.isBoolean },
                ])
            }
        },
        StoredField("capabilities", "capabilities", "numbers that both sides name in the clear", mayChange: true) {
            guard case .array(let numbers) = $0 else { return false }
            return numbers.allSatisfy(\.isNumber)
        },
        StoredField("counters", "counters", "how many codes were made, not which", mayChange: true) { value in
            guard case .map(let counters) = value else { return false }
            return counters.allSatisfy { $0.isNumber && $1.isNumber }
        },
        StoredField(
            "synchronized counters", "syncedCounters", "the counters at the latest synchronization", mayChange: true
        ) { value in
            guard case .map(let counters) = value else { return value.isNull }
            return counters.allSatisfy { $0.isNumber && $1.isNumber }
        },
        StoredField(
            "device data that were sent", "deviceData", "a hash of what the platform has, times and numbers of fields",
            mayChange: true
        ) { value in
            guard case .bytes(let bytes) = value else { return value.isNull }
            return (try? SentDeviceData(decoding: bytes)) != nil
        },
        StoredField("notices", "notices", "what the platform sends to every device of the user", mayChange: true) {
            value in
            guard case .array(let notices) = value else { return value.isNull }
            return notices.allSatisfy {
                $0.isArray(of: [{ $0.isNumber }, { $0.isNumber }, { $0.isNumber }, { $0.isBytes(16) }])
            }
        },
        StoredField("clock offset", "clockOffset", "a difference of clocks", mayChange: true) { $0.integer != nil },
        StoredField("notification identifier", "notificationID", "an address") { $0.isText || $0.isNull },
        StoredField(
            "answers to approval requests", "approvalAnswers",
            "what the device has signed and the platform keeps as well; the proof is not in it", mayChange: true
        ) { value in
            guard case .array(let answers) = value else { return value.isNull }
            return answers.allSatisfy {
                $0.isArray(of: [{ $0.isBytes(16) }, { $0.isNumber }, { if case .bytes = $0 { true } else { false } }])
            }
        },
        StoredField(
            "enrolled methods", "enrolledMethods", "handles and public keys; their secrets are with the provider",
            mayChange: true
        ) { value in
            guard case .array(let methods) = value else { return value.isNull }
            return methods.allSatisfy {
                $0.isArray(of: [{ $0.isNumber }, { if case .bytes = $0 { true } else { false } }, { $0.isBytes(33) }])
            }
        },
    ]
}

extension CBORValue {
    /// The fields of a record by their names; `nil` for anything else than a map with names.
    var fields: [String: CBORValue]? {
        guard case .map(let pairs) = self else { return nil }
        var fields: [String: CBORValue] = [:]
        for (name, value) in pairs {
            guard case .text(let name) = name else { return nil }
            fields[name] = value
        }
        return fields
    }

    var isText: Bool { if case .text = self { true } else { false } }
    var isNull: Bool { if case .null = self { true } else { false } }
    var isBoolean: Bool { if case .boolean = self { true } else { false } }
    var isNumber: Bool { if case .unsigned = self { true } else { false } }

    func isBytes(_ count: Int) -> Bool {
        guard case .bytes(let bytes) = self else { return false }
        return bytes.count == count
    }

    func isArray(of items: [(CBORValue) -> Bool]) -> Bool {
        guard case .array(let values) = self, values.count == items.count else { return false }
        return zip(values, items).allSatisfy { $1($0) }
    }

    /// Every byte string and text in it, at any depth.
    var leaves: [[UInt8]] {
        switch self {
        case .bytes(let bytes): [bytes]
        case .text(let text): [Array(text.utf8)]
        case .array(let items): items.flatMap(\.leaves)
        case .map(let pairs): pairs.flatMap { $0.leaves + $1.leaves }
        case .tagged(_, let item): item.leaves
        case .unsigned, .negative, .boolean, .null: []
        }
    }
}
