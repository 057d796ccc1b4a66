public import Primitives

extension OrchestrationError {
    /// What went wrong. Codes may be added in later versions; a `switch` needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        /// Who has to act so that an error of this code goes away.
        public let blame: Blame

        /// A constant English sentence, for developers.
        public let message: String

        package init(_ name: String, _ blame: Blame, _ message: String) {
            self.name = name
            self.blame = blame
            self.message = message
        }

        /// The name of the code as it is spelled in Swift.
        public var description: String { name }

        /// Whether both codes have the same name.
        public static func == (a: Code, b: Code) -> Bool { a.name == b.name }

        /// Hashes the name alone.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}
