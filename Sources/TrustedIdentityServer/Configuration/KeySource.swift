/// The place of a key of an installation.
///
/// The text form never contains the key itself, which means it can be in a file, in a list of processes and in a log.
package enum KeySource: Sendable, Hashable, CustomStringConvertible {
    /// The file in the data folder. It is next to the database, so one copy of the folder contains both.
    case dataFolder
    /// A file outside of the data folder.
    case file(String)
    /// An environment variable that holds the text of the key file.
    case environment(String)
    /// A descriptor that is open when the program starts, from which the text of the key file is read.
    case descriptor(Int32)

    /// The forms of a source, for people.
    package static let forms = "data-folder, file:PATH, environment:NAME or descriptor:N"

    /// Creates a source from its text, or returns nil for another form.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            guard text == "data-folder" else { return nil }
            self = .dataFolder
            return
        }
        switch parts[0] {
        case "file" where !parts[1].isEmpty && !parts[1].utf8.contains(0): self = .file(parts[1])
        case "environment" where Self.isVariable(parts[1]): self = .environment(parts[1])
        case "descriptor":
            // Standard output and standard error are for writing.
            guard parts[1].utf8.count <= 4, parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int32(parts[1]), number == 0 || number > 2
            else { return nil }
            self = .descriptor(number)
        default: return nil
        }
    }

    /// The text form.
    package var description: String {
        switch self {
        case .dataFolder: "data-folder"
        case .file(let path): "file:\(path)"
        case .environment(let name): "environment:\(name)"
        case .descriptor(let number): "descriptor:\(number)"
        }
    }

    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(48...57).contains(first), name.utf8.count <= 128 else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
