import Foundation

/// The whole story in one run: a user is registered, a device is activated, logins with codes are accepted and refused,
/// a login and payments are approved and rejected on the device, and a receipt is verified.
///
/// Read ``Story`` from the top. The folder `Stage` contains the platform, the application server and the device.
@main
enum Demo {
    static func main() async {
        let narrator = Narrator()
        let story = Task {
            try await EmbeddedPlatform.running { platform in
                try await Story(platform: platform, narrator: narrator).tell()
            }
        }
        // A canceled story removes its folder. A second signal ends the program immediately.
        let signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                signal(number, SIG_DFL)
                story.cancel()
            }
            source.resume()
            return source
        }
        let result = await story.result
        signals.forEach { $0.cancel() }
        do {
            try result.get()
            narrator.summarize()
            exit(EXIT_SUCCESS)
        } catch {
            narrator.fail(story.isCancelled ? Failure("interrupted") : error)
            exit(EXIT_FAILURE)
        }
    }
}
