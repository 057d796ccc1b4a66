internal import GRDB
internal import Primitives
internal import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A value of a column, as SQLite knows them.
enum Value {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    static func time(_ time: Timestamp) -> Value { .integer(time.millisecondsSinceEpoch) }
    static func sealed(_ value: SealedValue) -> Value { .bytes(value.packed) }
    static func count(_ count: Int) -> Value { .integer(Int64(count)) }

    /// A number that the domain promises to be below 2^63. A larger one becomes -1, which the schema refuses.
    static func count(_ count: UInt64) -> Value { .integer(Int64(exactly: count) ?? -1) }
}

extension Value: DatabaseValueConvertible {
    var databaseValue: DatabaseValue {
        switch self {
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Value? {
        switch value.storage {
        case .int64(let number): .integer(number)
        case .string(let text): .text(text)
        case .blob(let data): .bytes([UInt8](data))
        case .null, .double: nil
        }
    }
}
