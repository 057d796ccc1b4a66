internal import Primitives

/// A type whose values a column holds.
protocol ColumnValue: SendableMetatype {
    /// The value as a database stores it.
    var stored: SQLValue { get }

    /// Reads a value; nil when the column holds something else.
    init?(stored: SQLValue)
}

extension ColumnValue where Self: FixedWidthInteger {
    /// The number. One that is above `Int64.max`, which the domain promises not to have, becomes -1, and the schema
    /// refuses it.
    var stored: SQLValue { .integer(Int64(exactly: self) ?? -1) }

    init?(stored: SQLValue) {
        guard case .integer(let number) = stored else { return nil }
        self.init(exactly: number)
    }
}

extension Int: ColumnValue {}
extension Int64: ColumnValue {}
extension UInt8: ColumnValue {}
extension UInt16: ColumnValue {}
extension UInt64: ColumnValue {}

extension Bool: ColumnValue {
    var stored: SQLValue { .integer(self ? 1 : 0) }

    init?(stored: SQLValue) {
        guard let number = Int64(stored: stored) else { return nil }
        self = number != 0
    }
}

extension String: ColumnValue {
    var stored: SQLValue { .text(self) }

    init?(stored: SQLValue) {
        guard case .text(let text) = stored else { return nil }
        self = text
    }
}

extension [UInt8]: ColumnValue {
    var stored: SQLValue { .blob(self) }

    init?(stored: SQLValue) {
        guard case .blob(let bytes) = stored else { return nil }
        self = bytes
    }
}

extension Timestamp: ColumnValue {
    var stored: SQLValue { .integer(millisecondsSinceEpoch) }

    init?(stored: SQLValue) {
        guard let milliseconds = Int64(stored: stored) else { return nil }
        self.init(millisecondsSinceEpoch: milliseconds)
    }
}

extension SealedValue: ColumnValue {
    var stored: SQLValue { packed.stored }

    init?(stored: SQLValue) {
        guard let bytes = [UInt8](stored: stored) else { return nil }
        self.init(packed: bytes)
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    var stored: SQLValue { self?.stored ?? .null }

    init?(stored: SQLValue) {
        guard stored != .null else {
            self = Self.none
            return
        }
        guard let value = Wrapped(stored: stored) else { return nil }
        self = value
    }
}

extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
    var stored: SQLValue { rawValue.stored }

    init?(stored: SQLValue) {
        guard let rawValue = RawValue(stored: stored) else { return nil }
        self.init(rawValue: rawValue)
    }
}

/// Numbers as a column holds them: decimal, with a space between them.
struct Numbers: ColumnValue {
    let values: [UInt64]

    init(_ values: [UInt64]) { self.values = values }

    var stored: SQLValue { values.map { String($0) }.joined(separator: " ").stored }

    init?(stored: SQLValue) {
        guard let text = String(stored: stored) else { return nil }
        let numbers = text.split(separator: " ")
        values = numbers.compactMap { UInt64($0) }
        guard values.count == numbers.count else { return nil }
    }
}

/// Texts without spaces as a column holds them, with one space between them.
struct Words: ColumnValue {
    let values: [String]

    init(_ values: [String]) { self.values = values }

    var stored: SQLValue { values.joined(separator: " ").stored }

    init?(stored: SQLValue) {
        guard let text = String(stored: stored) else { return nil }
        // The empty text has no words. Any other has one word more than spaces.
        let words = text.isEmpty ? [] : text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.allSatisfy({ !$0.isEmpty }) else { return nil }
        values = words.map(String.init)
    }
}

extension APIKeyScope: ColumnValue {}
extension ApprovalKind: ColumnValue {}
extension ApprovalState: ColumnValue {}
extension AuditActor: ColumnValue {}
extension AuditEvent: ColumnValue {}
extension DeviceState: ColumnValue {}
extension Instance: ColumnValue {}
extension LockReason: ColumnValue {}
extension PlatformEvent.Kind: ColumnValue {}
extension PlatformKeyPurpose: ColumnValue {}
extension RejectionReason: ColumnValue {}
extension CredentialKind: ColumnValue {}
