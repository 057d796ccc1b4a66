/// Takes deterministic CBOR (RFC 8949 §4.2.1), in the subset of the protocol.
///
/// An array, map or tag announces its members, which are written next. The keys of a map must be written in bytewise
/// order of their encodings; ``CBORMap`` sorts where that is not plain to see.
///
/// What is written once for any output is measured by ``CBORSize``, put into memory that is there by ``CBORBuffer``,
/// and collected by ``CBORWriter`` where nobody asks how long it takes.
package protocol CBOROutput {
    /// Takes the head of an item: its kind, and a number, a length or a count in the shortest form.
    mutating func head(_ type: CBORMajorType, _ argument: UInt64)

    /// Takes the content of a string, or an item that is encoded already.
    mutating func append(_ bytes: borrowing Span<UInt8>)
}

extension CBOROutput {
    @inline(__always)
    package mutating func unsigned(_ value: UInt64) {
        head(.unsigned, value)
    }

    package mutating func integer(_ value: Int64) {
        if value >= 0 {
            head(.unsigned, UInt64(value))
        } else {
            negative(UInt64(bitPattern: ~value))
        }
    }

    /// The integer -1 - `magnitude`, which reaches further than `Int64` does.
    package mutating func negative(_ magnitude: UInt64) {
        head(.negative, magnitude)
    }

    @inline(__always)
    package mutating func bytes(_ value: [UInt8]) {
        bytes(value.span)
    }

    @inline(__always)
    package mutating func bytes(_ value: borrowing Span<UInt8>) {
        head(.bytes, UInt64(value.count))
        append(value)
    }

    package mutating func bytes(_ value: some Collection<UInt8>) {
        head(.bytes, UInt64(value.count))
        let isContiguous: Void? = value.withContiguousStorageIfAvailable { append(unsafe Span(_unsafeElements: $0)) }
        if isContiguous == nil { append(Array(value).span) }
    }

    @inline(__always)
    package mutating func text(_ value: String) {
        let utf8 = value.utf8
        head(.text, UInt64(utf8.count))
        let isContiguous: Void? = unsafe utf8.withContiguousStorageIfAvailable {
            append(unsafe Span(_unsafeElements: $0))
        }
        if isContiguous == nil { append(Array(utf8).span) }
    }

    @inline(__always)
    package mutating func boolean(_ value: Bool) {
        head(.simple, value ? CBORSimpleValue.true : CBORSimpleValue.false)
    }

    @inline(__always)
    package mutating func null() {
        head(.simple, CBORSimpleValue.null)
    }

    /// Announces an array of `count` items.
    @inline(__always)
    package mutating func array(_ count: Int) {
        head(.array, UInt64(count))
    }

    /// Announces a map of `count` pairs.
    package mutating func map(_ count: Int) {
        head(.map, UInt64(count))
    }

    /// Announces the one item that the tag is about.
    package mutating func tag(_ number: UInt64) {
        head(.tag, number)
    }

    /// Splices an item that is encoded already.
    package mutating func encoded(_ item: [UInt8]) {
        append(item.span)
    }
}
