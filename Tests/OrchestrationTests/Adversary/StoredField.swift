import Wire

/// A field of the record that may be there, with the reason why it tells nothing of the password.
///
/// The list of PROTOCOL §3, "never stored", is kept by naming everything that is: a new field fails the test until it
/// stands here, and whoever writes it here gives the reason.
struct StoredField: Sendable {
    let name: String
    let why: String
    /// Whether it may differ between two moments of an activated device's life.
    let mayChange: Bool
    let isAsExpected: @Sendable (CBORValue) -> Bool

    init(
        _ name: String, _ why: String, mayChange: Bool = false,
        _ isAsExpected: @escaping @Sendable (CBORValue) -> Bool
    ) {
        self.name = name
        self.why = why
        self.mayChange = mayChange
        self.isAsExpected = isAsExpected
    }

    /// The fields in their order.
    static let all: [StoredField] = [
        StoredField("account", "names the user") { $0.isArray(of: [{ $0.isText }, { $0.isText }]) },
        StoredField("tenant", "names the platform's tenant") { $0.isText },
        StoredField("state", "a number and, before the activation is finished, the hash of the platform's answer") {
            $0.isArray(of: [{ $0.isNumber }]) || $0.isArray(of: [{ $0.isNumber }, { $0.isBytes(32) || $0.isNumber }])
        },
        StoredField("device id", "drawn by the platform") { $0.isBytes(16) },
        StoredField("serial numbers", "drawn by the platform") { $0.isArray(of: [{ $0.isText }, { $0.isText }]) },
        StoredField("handle of the activation password", "the public part of a code that is spent") { $0.isNumber },
        StoredField("pending until", "a time of the platform") { $0.isNumber },
        StoredField("activated at", "a time of the platform") { $0.isNumber || $0.isNull },
        StoredField("suite", "a number") { $0.isNumber },
        StoredField("pre-shared key", "from the key exchange; independent of K₁ by its label") { $0.isBytes(32) },
        StoredField("signing key of the platform", "public") {
            $0.isArray(of: [{ $0.isBytes(8) }, { $0.isBytes(32) }])
        },
        StoredField("sealing keys of the platform", "public") { value in
            guard case .array(let keys) = value else { return false }
            return keys.allSatisfy {
                $0.isArray(of: [{ $0.isBytes(8) }, { $0.isNumber }, { $0.isBytes(32) || $0.isBytes(1_216) }])
            }
        },
        StoredField("C", "K₁ under a pad; every password gives a candidate") { $0.isBytes(32) },
        StoredField("salt", "drawn") { $0.isBytes(32) },
        StoredField("cost", "three numbers from a list") {
            $0.isArray(of: [{ $0.isNumber }, { $0.isNumber }, { $0.isNumber }])
        },
        StoredField("generation", "how often the password was changed") { $0.isNumber },
        StoredField("K₂n", "from the key exchange; independent of K₁ by its label") { $0.isBytes(32) },
        StoredField("D", "the ratchet at its present index; independent of K₁", mayChange: true) { $0.isBytes(32) },
        StoredField("index of D", "a count of contacts", mayChange: true) { $0.isNumber },
        StoredField("PIN policy", "the same for every user") {
            $0.isArray(of: [{ $0.isNumber }, { $0.isNumber }, { $0.isBoolean }, { $0.isNumber }])
        },
        StoredField("applications", "the same for every user") { value in
            guard case .array(let applications) = value else { return false }
            return applications.allSatisfy {
                $0.isArray(of: [
                    { $0.isNumber }, { $0.isNumber }, { $0.isNumber }, { $0.isNumber }, { $0.isBoolean },
                ])
            }
        },
        StoredField("counters", "how many codes were made, not which", mayChange: true) { value in
            guard case .map(let counters) = value else { return false }
            return counters.allSatisfy { $0.isNumber && $1.isNumber }
        },
        StoredField("clock offset", "a difference of clocks", mayChange: true) { $0.integer != nil },
        StoredField("notification identifier", "an address") { $0.isText || $0.isNull },
    ]
}

extension CBORValue {
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
