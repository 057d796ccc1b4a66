import Foundation

/// The whole story in one run: a user is registered, a device is activated, logins with codes are accepted and refused,
/// a login and payments are approved and rejected on the device, and a receipt is verified.
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
