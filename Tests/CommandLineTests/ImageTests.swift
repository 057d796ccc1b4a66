import Foundation
import TestSupport
import Testing

@testable import CommandLine

/// The forms of a code: SVG, and text for a terminal. ``ReaderTests`` reads the PNG images.
@Suite struct ImageTests {
    @Test(arguments: ImageColors.allCases)
    func `an SVG image has a rectangle for each run of modules, and the border`(colors: ImageColors) throws {
        let code = try QRCode("HTTP://A.B/1%")
        let text = code.svg(colors)
        let side = code.size + 8
        #expect(text.contains("viewBox=\"0 0 \(side) \(side)\""))
        let paths = text.matches(of: /<path fill="(#\w+)" d="([^"]*)"/).map { (String($0.1), String($0.2)) }
        #expect(paths.map(\.0) == (colors == .light ? ["#fff", "#000"] : ["#000", "#fff"]))
        var modules: Set<[Int]> = []
        for run in try #require(paths.last).1.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            let (column, row) = (try #require(Int(run.1)), try #require(Int(run.2)))
            let count = try #require(Int(run.3))
            #expect(run.3 == run.4)
            for place in 0..<count { modules.insert([column + place - 4, row - 4]) }
        }
        #expect(modules == Self.darkModules(of: code))
    }

    @Test(arguments: QRCode.TerminalColors.allCases)
    func `the text for a terminal shows each module, with a light border`(colors: QRCode.TerminalColors) throws {
        let code = try QRCode("HTTP://A.B/1%")
        let plain = code.terminalText(colors).replacing(/\u{1B}\[[0-9;]*m/, with: "")
        let lines = plain.split(separator: "\n").map(Array.init)
        #expect(lines.count == (code.size + 9) / 2)
        #expect(lines.allSatisfy { $0.count == code.size + 8 })
        var modules: Set<[Int]> = []
        for (index, line) in lines.enumerated() {
            for (column, character) in line.enumerated() {
                let isDrawn = (upper: "█▀".contains(character), lower: "█▄".contains(character))
                let isDark = colors == .dark ? (!isDrawn.upper, !isDrawn.lower) : isDrawn
                if isDark.0 { modules.insert([column - 4, 2 * index - 4]) }
                if isDark.1 { modules.insert([column - 4, 2 * index - 3]) }
            }
        }
        #expect(modules == Self.darkModules(of: code))
        #expect(code.terminalText(colors).contains("\u{1B}[30;107m") == (colors == .own))
    }

    private static func darkModules(of code: QRCode) -> Set<[Int]> {
        var modules: Set<[Int]> = []
        for row in 0..<code.size {
            for column in 0..<code.size where code[column, row] { modules.insert([column, row]) }
        }
        return modules
    }
}
