package import Primitives

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension SecretBytes {
    /// Takes over a secret that swift-crypto has handed out in memory of its own, which nobody wipes.
    ///
    /// - Parameter data: nobody else may have it: a copy of shared bytes is wiped, and not they.
    package init(wiping data: consuming Data) {
        var data = data
        self = data.withSpan { SecretBytes(copying: $0) }
        data.resetBytes(in: data.startIndex..<data.endIndex)
    }
}
