#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Borrowed memory in the form with the lowest cost for swift-crypto's ciphers.
///
/// The ciphers are generic over `DataProtocol` and compiled in another module, so they use dynamic calls to the type.
/// The regions of an array or a pointer have a generic type, which is looked up each time. Here the only region is the
/// memory itself.
@safe
struct ContiguousMemory: DataProtocol {
    fileprivate let bytes: UnsafeRawBufferPointer

    /// Wraps memory that must outlive the value.
    @unsafe
    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    var regions: Regions { Regions(memory: self) }

    var startIndex: Int { 0 }

    var endIndex: Int { unsafe bytes.count }

    subscript(position: Int) -> UInt8 { unsafe bytes[position] }

    /// The memory as its only region.
    struct Regions: BidirectionalCollection {
        fileprivate let memory: ContiguousMemory

        var startIndex: Int { 0 }

        var endIndex: Int { 1 }

        var count: Int { 1 }

        func index(after position: Int) -> Int { position + 1 }

        func index(before position: Int) -> Int { position - 1 }

        subscript(position: Int) -> ContiguousMemory { memory }
    }
}

extension ContiguousMemory: ContiguousBytes {
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { unsafe try body(bytes) }
}
