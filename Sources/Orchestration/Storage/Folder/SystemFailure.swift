/// A call of the operating system that failed. It holds neither paths nor content.
package struct SystemFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the call.
    package let call: String

    /// The value of `errno` after it.
    package let number: Int32

    package init(_ call: String, _ number: Int32) {
        self.call = call
        self.number = number
    }

    package var description: String { "\(call) failed with errno \(number)" }
}
