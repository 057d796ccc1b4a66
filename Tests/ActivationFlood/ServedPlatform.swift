import Foundation

/// The server of ``FloodServer`` in a process of its own.
struct ServedPlatform {
    let url: URL
    let key: String
    /// The codes of each user, in the order in which they are used.
    let codes: [[String]]

    private let process: Process
    private let input: Pipe

    init(folder: String, seconds: Int) throws {
        process = Process()
        input = Pipe()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL
        process.arguments = ["serve", folder, String(seconds)]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var lines = Lines(output.fileHandleForReading)
        let first = lines.next()?.split(separator: " ") ?? []
        guard first.count == 2, let url = URL(string: "http://127.0.0.1:\(first[0])") else {
            process.terminate()
            throw CocoaError(.executableLoad)
        }
        self.url = url
        key = String(first[1])
        codes = (0..<FloodServer.users).map { _ in (lines.next() ?? "").split(separator: " ").map(String.init) }
        guard codes.allSatisfy({ $0.count == FloodServer.logins(in: seconds) }) else {
            process.terminate()
            throw CocoaError(.fileReadCorruptFile)
        }
    }

    /// Ends the server.
    func stop() {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }
}

/// The lines of a file.
private struct Lines {
    private let file: FileHandle
    private var rest = Data()

    init(_ file: FileHandle) { self.file = file }

    mutating func next() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Data(rest[(end + 1)...]) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let more = file.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }
}
