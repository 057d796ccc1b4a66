// Public, because the conformance of a public type is, even in a program.
public import ArgumentParser
public import OneTimePassword

extension HashAlgorithm: ExpressibleByArgument {
    /// Reads the name in any case.
    public init?(argument: String) { self.init(name: argument) }
}
