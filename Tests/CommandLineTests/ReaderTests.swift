import Foundation
import TestSupport
import Testing

@testable import CommandLine

/// The path of the reader; `nil` when it is not installed.
private let program = ["/usr/bin/zbarimg", "/usr/local/bin/zbarimg", "/opt/homebrew/bin/zbarimg"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

/// Codes as `zbarimg` reads them. The package zbar-tools of Debian has it.
@Suite(.enabled(if: program != nil, "zbarimg is not installed"))
struct ReaderTests {
    @Test(arguments: QRCode.Correction.allCases)
    func `a reader finds the text of a full code of every version`(correction: QRCode.Correction) throws {
        let folder = try TemporaryFolder()
        var texts: [String] = []
        for version in 1...40 {
            let text = Self.text(filling: version, correction)
            let code = try QRCode(text, correction: correction)
            #expect(code.version == version)
            try folder.write(code.png(scale: 3), to: String(format: "%02d.png", version))
            texts.append(text)
        }
        #expect(try Self.read(folder) == texts)
    }

    @Test(arguments: ImageColors.allCases, [1, 2, 8, 64])
    func `a reader finds digits, Base45 and any script, in each color and scale`(
        colors: ImageColors, scale: Int
    ) throws {
        let folder = try TemporaryFolder()
        let texts = ["0123456789", "K9T V6$%*+-./:", "Zahlung an Käthe Öztürk: 12,50 € ✓"]
        // A reader needs two pixels for a module.
        for (index, text) in texts.enumerated() where scale > 1 {
            try folder.write(try QRCode(text).png(scale: scale, colors), to: "\(index).png")
        }
        guard scale > 1 else {
            #expect(try QRCode("1").png(scale: 1, colors).starts(with: [0x89, 0x50, 0x4E, 0x47]))
            return
        }
        #expect(try Self.read(folder) == texts)
    }

    @Test func `a reader corrects a damaged code of a high level, and does not read another text`() throws {
        let text = String(repeating: "SCA", count: 20)
        let code = try QRCode(text, correction: .high)
        let folder = try TemporaryFolder()
        for (name, side) in [("a.png", 6), ("b.png", 30)] {
            // A light square in the middle.
            let middle = code.size / 2 - side / 2
            let damaged = code.erased(middle..<middle + side)
            try folder.write(damaged.png(scale: 4), to: name)
        }
        #expect(try Self.read(folder) == [text])
    }

    /// Returns alphanumeric text that fills a version.
    private static func text(filling version: Int, _ correction: QRCode.Correction) -> String {
        let plan = SymbolPlan(version: version, correction: correction)
        let available = 8 * plan.dataCount - 4 - (version < 10 ? 9 : version < 27 ? 11 : 13)
        let count = available / 11 * 2 + (available % 11 >= 6 ? 1 : 0)
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
        // The end is no space, which a reader may leave out.
        return String((0..<count).map { $0 == count - 1 ? "Z" : alphabet[($0 * 7 + version) % alphabet.count] })
    }

    /// Returns the texts of the images of a folder, in the order of their names.
    private static func read(_ folder: TemporaryFolder) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: try #require(program))
        process.arguments =
            ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "-Stest-inverted"]
            + (try folder.files()).map { folder.file($0) }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension QRCode {
    /// Returns the code with light modules in a square.
    fileprivate func erased(_ places: Range<Int>) -> QRCode {
        var copy = self
        for row in places {
            for column in places where (0..<size).contains(column) && (0..<size).contains(row) {
                copy.modules[column, row] = false
            }
        }
        return copy
    }
}
