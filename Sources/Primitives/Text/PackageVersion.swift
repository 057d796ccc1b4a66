/// The version of this package, of its SDK and of its programs.
package enum PackageVersion {
    package static let text = "0.1.0"
}
