/// An error of a file that the configuration names. Its text states the file and the recovery, and contains no secret.
package struct ConfiguredFileError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
