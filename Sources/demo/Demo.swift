import Foundation

/// The whole story in one run: a user is registered, a device is activated, one login is accepted, and two are refused.
///
/// Read ``Story`` from the top. The folder `Stage` has the platform, the application server and the device.
@main
enum Demo {
    static func main() async {
        let narrator = Narrator()
        do {
            try await EmbeddedPlatform.running { platform in
                try await Story(platform: platform, narrator: narrator).tell()
            }
            narrator.summarize()
            exit(EXIT_SUCCESS)
        } catch {
            narrator.fail(error)
            exit(EXIT_FAILURE)
        }
    }
}
