extension StoreName {
    /// The files that belong to a name.
    enum File: String {
        case value = ".data"
        case temporary = ".new"
        case lock = ".lock"
    }

    func file(_ kind: File) -> String { text + kind.rawValue }

    init?(file: String, kind: File) {
        guard file.hasSuffix(kind.rawValue) else { return nil }
        self.init(String(file.dropLast(kind.rawValue.count)))
    }
}
