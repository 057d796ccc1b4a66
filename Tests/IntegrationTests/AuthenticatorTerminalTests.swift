import Foundation
import Testing

/// The command-line authenticator at a terminal, as a person uses it.
@Suite(.enabled(if: ServedPlatform.platform.isBuilt && ServedPlatform.authenticator.isBuilt, "programs are not built"))
struct AuthenticatorTerminalTests {
    private static let question = "approve NUMBER, reject notMe|canceled|wrongData, or skip: "
    private static let prompt = "Enter your password (alice@master"

    @Test func `listen counts down, asks for decision and password, and goes on`() async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            let terminal = try ServedPlatform.authenticator.startAtTerminal(["listen", "alice"] + live.options)
            try await terminal.wait(for: "Waiting for requests of alice.")
            // What is typed before there is a request decides nothing.
            terminal.type("reject notMe\n")
            try await terminal.wait(for: "reject notMe")
            let number = try #require(try await live.login("r1")["numberToMatch"] as? String)
            let shown = try await terminal.wait(for: Self.question)
            #expect(shown.contains("Log in at the shop"))
            #expect(shown.contains(/\r\n1[0-9]{2} s left\r\n/))

            var left: [Int] = []
            for _ in 0..<3 {
                let frame = try await terminal.wait(for: "\u{1B}8")
                // The line above the question is rewritten, and the cursor comes back.
                let match = try #require(try /\u{1B}7\u{1B}\[A\r\u{1B}\[K([0-9]+) s left\u{1B}8/.firstMatch(in: frame))
                left.append(try #require(Int(match.1)))
            }
            #expect(left[0] > left[1] && left[1] > left[2] && left[2] > 60)
            #expect(try await live.session("r1")["sessionStatus"] as? String == "pending")

            terminal.type("perhaps\n")
            let again = try await terminal.wait(for: Self.question)
            #expect(again.contains(/Please answer approve, reject with a reason, or skip.\r\n[0-9]+ s left\r\n/))
            terminal.type("approve \(number)\n")
            try await terminal.wait(for: Self.prompt)
            try await terminal.wait(for: "): ")
            terminal.type("482916\n")
            // The password is asked for again, with the tries that are left.
            let refused = try await terminal.wait(for: Self.prompt + ", tries left: 4): ")
            #expect(refused.contains("The password was not accepted."))
            terminal.type("482915\n")
            try await terminal.wait(for: "Approved.\r\n")
            #expect(try await live.session("r1")["sessionStatus"] as? String == "accepted")
            #expect(!terminal.output.contains("48291"))

            _ = try await live.login("r2")
            try await terminal.wait(for: Self.question)
            terminal.type("\u{4}")
            try await terminal.wait(for: "authenticator: nothing was decided\r\n")
            #expect(try await terminal.status() == 0)
            #expect(try await live.session("r2")["sessionStatus"] as? String == "pending")
        }
    }

    @Test func `a request whose time is over at the question is outdated, and Ctrl-C ends listen`() async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            let terminal = try ServedPlatform.authenticator.startAtTerminal(["listen", "alice"] + live.options)
            try await terminal.wait(for: "Waiting for requests of alice.")
            async let reply = live.send(
                "POST", "v1/users/alice@master/login", #"{"objectType":"LoginInput","timeout":20,"requestID":"r1"}"#)
            try await terminal.wait(for: Self.question)
            terminal.type("appro")
            try await terminal.wait(for: "0 s left")
            try await terminal.wait(for: "authenticator: the time to answer is over\r\n")
            #expect(try await reply["sessionStatus"] as? String == "timeout")
            terminal.type("\u{3}")
            #expect(try await terminal.status() == 128 + SIGINT)
        }
    }

    @Test func `otp counts the seconds of the code down, and Ctrl-C ends the countdown`() async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            let start = ContinuousClock.now
            let terminal = try ServedPlatform.authenticator.startAtTerminal(
                ["otp", "alice", "--method", "possession"] + live.options)
            let shown = try await terminal.wait(for: "seconds left  ")
            #expect(shown.contains(/one-time password +[0-9]{8}\r\n/))
            // A code may expire at once; its countdown is then one line.
            let end = try await terminal.wait(for: "\u{1B}[K")
            if end.hasPrefix("1\u{1B}") {
                try await terminal.wait(for: "expired")
            } else {
                let next = try await terminal.wait(for: "\u{1B}[K")
                let before = try #require(Int(end.prefix { $0.isNumber }))
                let after = try #require(Int(next.dropFirst("\rseconds left  ".count).prefix { $0.isNumber }))
                // On a busy machine, a second may be left out.
                #expect(after < before && next == "\rseconds left  \(after)\u{1B}[K")
                // On a busy machine the last seconds may be over before the key is read, or before this test has read
                // what the program has shown.
                guard before > 10 else {
                    try await terminal.wait(for: "expired")
                    return
                }
                terminal.type("\u{3}")
                let status = try await terminal.status()
                let isOver = ContinuousClock.now - start > .seconds(before - 2)
                #expect(status == 128 + SIGINT || (status == 0 && isOver), "\(String(describing: status))")
            }
        }
    }

    @Test func `a keypad shows the digits at random places, and takes the letters beside them`() async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            let terminal = try ServedPlatform.authenticator.startAtTerminal(
                ["otp", "alice", "--keypad", "--json"] + live.options)
            let shown = try await terminal.wait(for: "\r\n\r\n□□□□□□□□□□□□")
            let places = shown.matches(of: /([a-j]) ([0-9])/).map { (letter: $0.1, digit: $0.2) }
            #expect(Set(places.map(\.digit)).count == 10)
            let letters = try "482915".map { digit in
                try #require(places.first { $0.digit == "\(digit)" }).letter
            }
            terminal.type(letters.joined() + "\n")
            try await terminal.wait(for: "■■■■■■□□□□□□\u{1B}[?1049l")
            try await terminal.wait(for: "oneTimePassword")
            #expect(try await terminal.status() == 0)
        }
    }

    @Test func `a signal that ends the program at a prompt restores the echo`() async throws {
        try await ServedPlatform.running { live in
            try await live.activate("alice")
            // At a terminal, the Swift runtime takes SIGQUIT and prints a backtrace.
            for signal in [SIGHUP, SIGINT, SIGTERM] {
                // The outer shell keeps the terminal, and the inner one becomes the program.
                let terminal = try ServedPlatform.authenticator.startAtTerminal(
                    ["otp", "alice"] + live.options,
                    script: #"sh -c 'ulimit -c 0; echo id $$; exec "$@"' sh "$@"; echo status $?; stty -a"#)
                try await terminal.wait(for: "id ")
                let id = try await terminal.wait(for: "\r\n")
                try await terminal.wait(for: Self.prompt)
                try await terminal.wait(for: "): ")
                terminal.type("4829")
                // A carriage return and a line feed are one character.
                let process = try #require(pid_t(id.dropLast()))
                kill(process, signal)
                try await terminal.wait(for: "status \(128 + signal)")
                let settings = try await terminal.wait(for: " echo ")
                let words = Set(settings.split(whereSeparator: \.isWhitespace))
                #expect(words.isSuperset(of: ["isig", "icanon", "echo"]), "\(settings)")
                #expect(try await terminal.status() == 0)
                #expect(!terminal.output.contains("4829"))
            }
        }
    }
}
