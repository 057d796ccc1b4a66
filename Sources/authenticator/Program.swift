#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Runs the command line and ends with one of the documented exit codes, which ArgumentParser's own `main()` does not
/// know.
@main
enum Program {
    static func main() async {
        let status = await Authenticator.run(Array(CommandLine.arguments.dropFirst()))
        exit(status.rawValue)
    }
}
