import Foundation
import TestSupport
import Testing

/// The output of `swift run demo`.
@Suite(.serialized) struct DemoTests {
    @Test func `the demo runs to its end, and each line names a file that exists`() async throws {
        let result = try await BuiltProgram(name: "demo").run([])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        for step in 1...4 { #expect(result.output.contains("Step \(step) of 4: ")) }
        for finding in [
            "login with the code", "second use of the code", "wrong passwords counted", "login with a number",
            "reason of the rejection", "receipts of site and device are equal", "signature of a payment",
            "login with the new password", "device after five wrong passwords", "login after the unlock",
            "users of the device", "login with the old device", "login with the new device",
        ] {
            #expect(result.output.contains(finding))
        }
        #expect(result.output.contains(/\| Amount +49\.90 EUR\n/))
        let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let paths = lines.filter { $0.hasPrefix("see ") }.map { String($0.dropFirst(4)) }
        let numbered = lines.filter { $0.prefixMatch(of: #/\d+\. /#) != nil }
        #expect(paths.count > 5)
        #expect(paths.count == numbered.count)
        let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: root.appending(path: path).path), "\(path)")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a demo that is interrupted removes its folder`(signal: Int32) async throws {
        let before = try Self.folders()
        let demo = try BuiltProgram(name: "demo").startAtTerminal([])
        // At a terminal each line is shown at once.
        try await demo.wait(for: "listens on")
        #expect(try Self.folders().subtracting(before).count == 1)
        demo.signal(signal)
        try await demo.wait(for: "demo: interrupted\r\n")
        #expect(try await demo.status() == 1)
        #expect(try Self.folders().isSubset(of: before))
    }

    /// Returns the names of the folders of demos.
    private static func folders() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
        return Set(names.filter { $0.hasPrefix("demo-") })
    }
}
