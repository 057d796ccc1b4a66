/// An error of a file that the configuration names. Its text names the file and the remedy, and holds no secret.
package struct ConfiguredFileError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
