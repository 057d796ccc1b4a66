import Foundation

/// The whole story in one run: a user is registered, a device activated, a login accepted, and two others refused.
///
/// Read ``Story`` from the top; the stage it plays on (a platform, an application server, a device) is in `Stage`.
@main
enum Demo {
    static func main() async {
        let narrator = Narrator()
        do {
            try await EmbeddedPlatform.running { platform in
                try await Story(platform: platform, narrator: narrator).tell()
            }
            narrator.summarise()
            exit(EXIT_SUCCESS)
        } catch {
            narrator.fail(error)
            exit(EXIT_FAILURE)
        }
    }
}
