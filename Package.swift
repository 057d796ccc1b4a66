// swift-tools-version: 6.3
import PackageDescription

/// The settings of every target. They have no effect on packages that depend on this one.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// Each module that an app links has a privacy manifest. It is a resource where Xcode reads it. Elsewhere a resource
// would add a bundle to the module, and an unhandled file is a warning.
#if os(macOS)
    let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
    let unusedFiles: [String] = []
#else
    let privacyManifest: [Resource] = []
    let unusedFiles = ["PrivacyInfo.xcprivacy"]
#endif

// The dependencies of the SDK. All others are conditional on a trait, so that a package that depends on this one with
// `traits: []` resolves swift-crypto, swift-asn1 and swift-log, and nothing more.
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// Returns a dependency that only the platform and the command-line programs use.
func platform(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Platform"]))
}

/// Returns a dependency that only `HTTPTransport` uses, on Linux. On Apple platforms it uses URLSession.
func http(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(platforms: [.linux], traits: ["HTTP"]))
}

/// CI has the trait on for every command, so that it builds the package once.
let defaultTraits: Set<String> =
    Context.environment["TRAIT_POSTGRESQL"] == nil ? ["Platform"] : ["Platform", "PostgreSQL"]

let package = Package(
    name: "swift-orchestration",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Orchestration", targets: ["Orchestration"]),
        .library(name: "OrchestrationHTTP", targets: ["OrchestrationHTTP"]),
        .library(name: "OneTimePassword", targets: ["OneTimePassword"]),
        .library(name: "TrustedIdentity", targets: ["TrustedIdentity"]),
        .library(name: "TrustedIdentityServer", targets: ["TrustedIdentityServer"]),
        .library(name: "TrustedIdentityPostgreSQL", targets: ["TrustedIdentityPostgreSQL"]),
        .library(name: "OrchestrationTesting", targets: ["OrchestrationTesting"]),
        .executable(name: "authenticator", targets: ["authenticator"]),
        .executable(name: "trusted-identity", targets: ["trusted-identity"]),
        .executable(name: "demo", targets: ["demo"]),
    ],
    traits: [
        .trait(name: "HTTP", description: "HTTPTransport over AsyncHTTPClient on Linux."),
        .trait(
            name: "Platform",
            description: "The platform, its server, and the command-line programs.",
            enabledTraits: ["HTTP"]),
        .trait(
            name: "PostgreSQL", description: "A database that several processes share. It needs libpq-dev.",
            enabledTraits: ["Platform"]),
        .trait(
            name: "BenchmarkPeers",
            description:
                "Benchmarks against Protocol Buffers, OpenSSL and liboath. The last two have to be installed."),
        .default(enabledTraits: defaultTraits),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // Without the default trait, which is for JSON. The reader of YAML here knows lines and refuses what Yams would
        // expand.
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        // No product reaches these, so packages that depend on this one do not resolve them.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // Each target has a row in .ci/imports.csv, which says what this manifest does not.

        // MARK: Shared by both sides
        .target(name: "CLibrary", swiftSettings: settings),
        .target(name: "CPrimitives"),
        .target(
            name: "Primitives", dependencies: ["CLibrary", "CPrimitives", crypto], exclude: unusedFiles,
            resources: privacyManifest, swiftSettings: settings),
        .target(name: "CHashBlocks"),
        .target(
            name: "OneTimePassword",
            dependencies: ["Primitives", "CHashBlocks", "CLibrary", crypto],
            exclude: unusedFiles, resources: privacyManifest, swiftSettings: settings),
        .target(
            name: "OrchestrationProtocol",
            dependencies: ["Primitives", "CHashBlocks", crypto, cryptoExtras],
            exclude: unusedFiles, resources: privacyManifest, swiftSettings: settings),

        // MARK: The client
        .target(
            name: "Orchestration",
            dependencies: [
                "Primitives", "OneTimePassword", "OrchestrationProtocol", "CLibrary", crypto, cryptoExtras, logging,
            ],
            exclude: unusedFiles, resources: privacyManifest, swiftSettings: settings),
        .target(
            name: "OrchestrationHTTP",
            dependencies: [
                "Orchestration", "OrchestrationProtocol",
                http("AsyncHTTPClient", "async-http-client"),
                http("NIOCore", "swift-nio"),
                http("NIOHTTP1", "swift-nio"),
            ],
            exclude: unusedFiles, resources: privacyManifest, swiftSettings: settings),

        // MARK: The platform
        .target(
            name: "TrustedIdentity",
            dependencies: [
                "Primitives", "OneTimePassword", "OrchestrationProtocol", "CLibrary", "CSQLite", crypto, cryptoExtras,
                logging,
                platform("Metrics", "swift-metrics"),
            ],
            swiftSettings: settings),
        .systemLibrary(
            name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        // Without the trait, it has no declarations.
        .target(
            name: "TrustedIdentityPostgreSQL",
            dependencies: [
                "TrustedIdentity", "Primitives", "CLibrary", logging,
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: settings),
        .systemLibrary(
            name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "TrustedIdentityServer",
            dependencies: [
                "TrustedIdentity", "CommandLine", "OrchestrationProtocol", "Primitives", "CLibrary", crypto,
                cryptoExtras, logging,
                platform("AsyncHTTPClient", "async-http-client"),
                platform("Hummingbird", "hummingbird"),
                platform("HummingbirdCore", "hummingbird"),
                platform("NIOCore", "swift-nio"),
                platform("NIOHTTP1", "swift-nio"),
                platform("NIOHTTPTypes", "swift-nio-extras"),
                platform("NIOHTTPTypesHTTP1", "swift-nio-extras"),
                platform("NIOSSL", "swift-nio-ssl"),
                platform("ServiceLifecycle", "swift-service-lifecycle"),
                platform("Metrics", "swift-metrics"),
                platform("Yams", "Yams"),
                platform("Configuration", "swift-configuration"),
                platform("Tracing", "swift-distributed-tracing"),
            ],
            // In the program itself, so that it is deployed as one file.
            resources: [.embedInCode("API/OpenAPI/openapi.json"), .embedInCode("Configuration/Policies/default.yaml")],
            swiftSettings: settings),

        // MARK: The test kit and the programs
        .target(
            name: "OrchestrationTesting",
            dependencies: ["Orchestration", "TrustedIdentity", "Primitives", "OrchestrationProtocol", crypto],
            swiftSettings: settings),
        // The output of the programs, and QR codes for them and the server.
        .target(
            name: "CommandLine",
            dependencies: ["CLibrary", "Primitives", platform("ArgumentParser", "swift-argument-parser")],
            swiftSettings: settings),
        .executableTarget(
            name: "authenticator",
            dependencies: [
                "Orchestration", "OrchestrationHTTP", "OneTimePassword", "Primitives", "CLibrary",
                "CommandLine",
                platform("ArgumentParser", "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "trusted-identity",
            dependencies: [
                "TrustedIdentity", "TrustedIdentityServer", "TrustedIdentityPostgreSQL",
                "Primitives", "CLibrary", "CommandLine", logging,
                platform("ArgumentParser", "swift-argument-parser"),
                platform("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            exclude: ["Deployment"],
            swiftSettings: settings),
        .executableTarget(
            name: "demo",
            dependencies: [
                "Orchestration", "OrchestrationHTTP", "OrchestrationTesting", "Primitives", "OrchestrationProtocol",
                "TrustedIdentity", "TrustedIdentityServer", logging,
                platform("AsyncHTTPClient", "async-http-client"), platform("NIOCore", "swift-nio"),
                platform("NIOHTTP1", "swift-nio"),
            ],
            swiftSettings: settings),

        // MARK: Benchmarks
        .systemLibrary(
            name: "COpenSSL",
            path: "Benchmarks/Peers/COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
        .systemLibrary(
            name: "CLibOATH",
            path: "Benchmarks/Peers/CLibOATH",
            pkgConfig: "liboath",
            providers: [.apt(["liboath-dev"]), .brew(["oath-toolkit"])]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Orchestration", "OrchestrationTesting", "TrustedIdentity", "OrchestrationProtocol", "OneTimePassword",
                "CHashBlocks", "CLibrary", "Primitives", "TestSupport",
                crypto, cryptoExtras,
                .product(name: "Benchmark", package: "benchmark"),
                .target(name: "COpenSSL", condition: .when(traits: ["BenchmarkPeers"])),
                .target(name: "CLibOATH", condition: .when(traits: ["BenchmarkPeers"])),
                .product(
                    name: "SwiftProtobuf", package: "swift-protobuf", condition: .when(traits: ["BenchmarkPeers"])),
            ],
            path: "Benchmarks/Sources",
            swiftSettings: settings,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),

        // MARK: Documentation
        // Holds the articles. It depends on the modules that they link to. See .ci/documentation.
        .target(
            name: "Documentation",
            dependencies: [
                "Primitives", "OrchestrationProtocol", "OneTimePassword", "Orchestration", "OrchestrationHTTP",
                "OrchestrationTesting", "TrustedIdentity", "TrustedIdentityPostgreSQL", "TrustedIdentityServer",
            ],
            path: "DocC",
            swiftSettings: settings),

        // MARK: Tests
        // Replays its seeds. Tests/Fuzz/run builds it with libFuzzer's main instead, which searches for more.
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Orchestration", "OrchestrationHTTP", "TrustedIdentity", "TrustedIdentityServer",
                "OrchestrationProtocol",
                "OneTimePassword", "Primitives", crypto,
            ],
            path: "Tests/Fuzz",
            exclude: ["Corpus", "run", "seeds.py"],
            swiftSettings: settings),
        // Prepares and sends what the scripts of Benchmarks measure over HTTP.
        .executableTarget(
            name: "load",
            dependencies: [
                "Orchestration", "OrchestrationHTTP", "OrchestrationTesting", "TrustedIdentity",
                "TrustedIdentityServer", "Primitives", "CLibrary",
                platform("ArgumentParser", "swift-argument-parser"),
                platform("AsyncHTTPClient", "async-http-client"), platform("NIOCore", "swift-nio"),
                platform("NIOHTTP1", "swift-nio"),
            ],
            path: "Benchmarks/Load",
            swiftSettings: settings),
        // Serves and sends what Tests/Scripts/activation-flood measures.
        .executableTarget(
            name: "activation-flood",
            dependencies: [
                "Orchestration", "OrchestrationHTTP", "OrchestrationTesting", "TrustedIdentity",
                "TrustedIdentityServer", "OrchestrationProtocol", "Primitives",
                platform("AsyncHTTPClient", "async-http-client"), platform("NIOCore", "swift-nio"),
                platform("NIOHTTP1", "swift-nio"),
            ],
            path: "Tests/ActivationFlood",
            swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: ["OrchestrationProtocol", "Primitives"],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(name: "PrimitivesTests", dependencies: ["Primitives", crypto], swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests", dependencies: ["CommandLine", "TestSupport", crypto], swiftSettings: settings),
        .testTarget(
            name: "OneTimePasswordTests",
            dependencies: ["OneTimePassword", "Primitives", "TestSupport", crypto],
            swiftSettings: settings),
        .testTarget(
            name: "OrchestrationProtocolTests",
            dependencies: ["OrchestrationProtocol", "Primitives", "TestSupport", crypto, cryptoExtras],
            swiftSettings: settings),
        .testTarget(
            name: "OrchestrationTests",
            dependencies: [
                "Orchestration", "OrchestrationTesting", "TrustedIdentity", "OneTimePassword",
                "OrchestrationProtocol", "Primitives", "TestSupport", crypto, cryptoExtras, logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TrustedIdentityTests",
            dependencies: [
                "TrustedIdentity", "TrustedIdentityPostgreSQL", "OrchestrationTesting", "OneTimePassword",
                "OrchestrationProtocol",
                "Primitives", "CSQLite", "TestSupport", crypto, cryptoExtras, logging,
                platform("Metrics", "swift-metrics"), platform("MetricsTestKit", "swift-metrics"),
            ],
            swiftSettings: settings),
        // Without the trait, one test says that the others are skipped.
        .testTarget(
            name: "PostgreSQLTests",
            dependencies: [
                "TrustedIdentityPostgreSQL", "TrustedIdentity", "Orchestration", "OrchestrationTesting",
                "OrchestrationProtocol", "Primitives", "CLibrary", "TestSupport", crypto, logging,
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OrchestrationTestingTests",
            dependencies: [
                "OrchestrationTesting", "Orchestration", "TrustedIdentity", "OrchestrationProtocol", "Primitives",
                "TestSupport", crypto,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Orchestration", "OrchestrationHTTP", "OrchestrationTesting", "TrustedIdentity",
                "TrustedIdentityServer", "OneTimePassword",
                "OrchestrationProtocol", "Primitives", "CLibrary", "CommandLine", "TestSupport", crypto, cryptoExtras,
                logging,
                platform("AsyncHTTPClient", "async-http-client"), platform("Hummingbird", "hummingbird"),
                platform("NIOCore", "swift-nio"),
                platform("NIOPosix", "swift-nio"), platform("NIOHTTP1", "swift-nio"),
                platform("InMemoryTracing", "swift-distributed-tracing"),
                platform("Tracing", "swift-distributed-tracing"),
                platform("NIOHTTP2", "swift-nio-http2"), platform("Metrics", "swift-metrics"),
                platform("NIOSSL", "swift-nio-ssl"), platform("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
