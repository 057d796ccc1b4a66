// Comparisons that constant-time.sh must report. They are not part of any target.

/// Returns at the first difference.
package func earlyExit(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    for index in a.indices where a[index] != b[index] { return false }
    return true
}

/// Reads all bytes, but shows the optimizer what the result is for.
package func withoutBarrier(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
}

/// Reads from an address that depends on a byte.
package func lookup(_ a: Span<UInt8>, _ table: Span<UInt8>) -> UInt8 {
    var sum: UInt8 = 0
    for index in a.indices { sum |= unsafe table[unchecked: Int(a[index])] }
    return sum
}

/// Calls a function with a running time of its own.
package func call(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.elementsEqual(b) }

/// Decides about a number.
package func mask(_ a: UInt64, equals b: UInt64, _ yes: () -> UInt64) -> UInt64 { a == b ? yes() : 0 }
