/// The upper three bits of an item's first byte (RFC 8949 §3.1).
package enum CBORMajorType: UInt8 {
    case unsigned = 0
    case negative = 1
    case bytes = 2
    case text = 3
    case array = 4
    case map = 5
    case tag = 6
    case simple = 7

    /// The kind of the item that starts with a byte.
    @inline(__always)
    init(first: UInt8) {
        self =
            switch first >> 5 {
            case 0: .unsigned
            case 1: .negative
            case 2: .bytes
            case 3: .text
            case 4: .array
            case 5: .map
            case 6: .tag
            default: .simple
            }
    }
}

/// The simple values of the subset, as the lower five bits of the first byte (RFC 8949 §3.3).
enum CBORSimpleValue {
    static let `false`: UInt64 = 20
    static let `true`: UInt64 = 21
    static let null: UInt64 = 22
}
