import Foundation
import Orchestration
import Primitives
import Testing

@Suite(.timeLimit(.minutes(20))) struct FileDescriptorPasswordProviderTests {
    private func prompt(_ purpose: Prompt.Purpose, _ rejection: InputRejection? = nil) -> Prompt {
        Prompt(purpose: purpose, method: .password, account: "alice@master", rejection: rejection)
    }

    private func provider(_ text: String) throws -> (FileDescriptorPasswordProvider, Pipe) {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        return (FileDescriptorPasswordProvider(descriptor: pipe.fileHandleForReading.fileDescriptor), pipe)
    }

    @Test(arguments: ["739105", "739105\n", "739105\r\n"])
    func `a line is read, with or without its end`(_ text: String) async throws {
        let (provider, pipe) = try provider(text)
        #expect(try await provider.authenticate(prompt(.authenticate)).text == "739105")
        try pipe.fileHandleForReading.close()
    }

    @Test func `each question takes one line and leaves the next`() async throws {
        let (provider, pipe) = try provider("old\nnew\nrest\n")
        #expect(try await provider.authenticate(prompt(.authenticate)).text == "old")
        #expect(try await provider.authenticate(prompt(.update)).text == "new")
        #expect(try await provider.authenticate(prompt(.confirmUpdate)).text == "new")
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("rest\n".utf8))
    }

    @Test func `a refused password is not asked for again`() async throws {
        let (provider, pipe) = try provider("123456\n739105\n")
        #expect(try await provider.authenticate(prompt(.enroll)).text == "123456")
        await #expect(throws: UserAuthenticationError.aborted) {
            try await provider.authenticate(prompt(.enroll, .unsuitable(.constantStep)))
        }
        try pipe.fileHandleForReading.close()
    }

    @Test(arguments: ["", "\n", "\r\n"])
    func `an empty input is an error and no empty password`(_ text: String) async throws {
        let (provider, pipe) = try provider(text)
        await #expect(throws: OrchestrationError(.invalidInput)) {
            try await provider.authenticate(prompt(.authenticate))
        }
        try pipe.fileHandleForReading.close()
    }

    @Test func `a line above 128 bytes is refused`() async throws {
        let (provider, pipe) = try provider(String(repeating: "x", count: 129))
        await #expect(throws: OrchestrationError(.invalidInput)) {
            try await provider.authenticate(prompt(.authenticate))
        }
        try pipe.fileHandleForReading.close()
    }

    @Test(arguments: [-1, 987_654] as [Int32])
    func `a descriptor that is not open is an error`(_ descriptor: Int32) async throws {
        await #expect(throws: OrchestrationError(.inputUnavailable)) {
            try await FileDescriptorPasswordProvider(descriptor: descriptor).authenticate(prompt(.authenticate))
        }
    }

    @Test func `a canceled question ends without input`() async throws {
        let pipe = Pipe()
        let provider = FileDescriptorPasswordProvider(descriptor: pipe.fileHandleForReading.fileDescriptor)
        let prompt = prompt(.authenticate)
        let answer = Task { try await provider.authenticate(prompt) }
        await Task.yield()
        answer.cancel()
        await #expect(throws: CancellationError.self) { try await answer.value }
        try pipe.fileHandleForWriting.close()
    }

    @Test func `the provider shows nothing of a password that it keeps for the confirmation`() async throws {
        let (provider, pipe) = try provider("canary-7391\n")
        _ = try await provider.authenticate(prompt(.enroll))
        var text = ""
        dump(provider, to: &text)
        text += "\(provider)" + String(reflecting: provider)
        #expect(!text.contains("canary"))
        try pipe.fileHandleForReading.close()
    }
}
