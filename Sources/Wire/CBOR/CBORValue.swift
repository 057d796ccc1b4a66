/// Any item of the subset as a value: for headers, tools and tests. Messages are read and written directly.
package enum CBORValue: Sendable {
    case unsigned(UInt64)
    /// The integer -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    indirect case tagged(UInt64, CBORValue)
    case boolean(Bool)
    case null

    /// The integer of either sign.
    package static func integer(_ value: Int64) -> CBORValue {
        value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(bitPattern: ~value))
    }

    /// The value as an integer, where it is one that `Int64` can hold.
    package var integer: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let magnitude): Int64(exactly: magnitude).map { ~$0 }
        case .bytes, .text, .array, .map, .tagged, .boolean, .null: nil
        }
    }
}
