/// An error of the files for TLS. Its text names the file and the remedy, and holds nothing of a key.
package struct TLSFileError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
