// swift-tools-version: 6.2
import PackageDescription

// A package of its own: nobody's `swift build` makes fuzz targets. What it links to the sources of the project with
// symbolic links, since what they declare with `package` access can be used only inside one package.
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")

// `fuzzer` alone is several times as fast: for as many inputs as there is time for.
let sanitizers = Context.environment["FUZZ_SANITIZERS"] ?? "fuzzer,address"

let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        .target(name: "Bytes"),
        .target(name: "Files", dependencies: [systemPackage]),
        .target(name: "OAuthSigning", dependencies: ["Bytes", crypto, cryptoExtras]),
        .target(name: "SignatureComparison", dependencies: ["Bytes", "OAuthSigning", crypto]),
        .target(name: "HTTP1Codec", dependencies: ["Bytes", nioCore]),
        .target(name: "HTTP2Codec", dependencies: ["Bytes", "HTTP1Codec", nioCore]),
        .target(name: "Routing", dependencies: ["Bytes", "HTTP1Codec", nioCore]),
        .target(name: "UpstreamTrust", dependencies: ["Bytes", "Files", "Routing", crypto, x509, asn1]),
        .target(
            name: "Credentials",
            dependencies: [
                "Bytes", "Files", "OAuthSigning", "SignatureComparison", "UpstreamTrust", crypto, systemPackage,
            ]
        ),
        .target(
            name: "Settings",
            dependencies: [
                "Bytes", "OAuthSigning", "Credentials", "Routing", "UpstreamTrust", logging,
                nioCore,
            ]
        ),
        .target(
            name: "ParaphConfiguration",
            dependencies: [
                "Bytes", "Files", "OAuthSigning", "UpstreamTrust", "Credentials", "Routing", "Settings", "CLibYAML",
                x509, systemPackage, logging, nioCore,
            ],
            linkerSettings: [.linkedLibrary(":libyaml.a")]
        ),
        // What of `AdminServer` and `ForwardProxy` reads and writes text, without what these two need besides.
        .target(name: "AdminRequests", dependencies: ["Bytes", "OAuthSigning", "Credentials", nioCore]),
        .target(name: "AccessLogText", dependencies: ["Bytes", nioCore]),
        .target(name: "Inspection", dependencies: ["Bytes"]),
        // The same of `OpenTelemetry`.
        .target(name: "TraceContext", dependencies: ["Bytes"]),
        // What the tests of the decoders compare with llhttp, which is what NIOHTTP1 decodes with.
        .target(
            name: "DecoderComparison",
            dependencies: [
                "HTTP1Codec", nioCore, .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            exclude: [
                "DeliberateStrictness.swift", "MessageGenerator.swift", "Mutator.swift", "ByteText.swift",
                "Reading.swift", "VectorRow.swift",
            ]
        ),
        .systemLibrary(name: "CLibYAML", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CLibFuzzer", path: "CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Bytes", "Files", "OAuthSigning", "SignatureComparison", "HTTP1Codec", "HTTP2Codec", "Routing",
                "UpstreamTrust",
                "Credentials", "ParaphConfiguration", "CLibFuzzer", "DecoderComparison", "AdminRequests",
                "AccessLogText", "Inspection", "TraceContext",
                nioCore, crypto, cryptoExtras, x509, asn1, .product(name: "NIOHPACK", package: "swift-nio-http2"),
            ],
            path: "Targets",
            // gold fails on what the sanitizers ask for.
            linkerSettings: [.unsafeFlags(["-sanitize=\(sanitizers)", "-use-ld=lld"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        // The dependencies are neither instrumented nor searched for new ways through them. `assert` is checked.
        .unsafeFlags(["-sanitize=\(sanitizers)", "-enable-testing", "-assert-config", "Debug"]),
    ]
}
