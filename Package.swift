// swift-tools-version: 6.2
import PackageDescription

#if canImport(Glibc)
    import Glibc
#endif

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let instrumentation = Target.Dependency.product(name: "Instrumentation", package: "swift-distributed-tracing")
let serviceContext = Target.Dependency.product(name: "ServiceContextModule", package: "swift-service-context")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")

/// What a release needs of other libraries is linked into it, all but glibc and libgcc_s, which glibc loads itself when a
/// thread ends. It exports no symbol, since nothing looks for one; what it calls in others is bound before it starts, so
/// that nothing can change it afterwards.
var release = [
    "-use-ld=lld", "-L\(Context.packageDirectory)/Linking",
    "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "keep-text-section-prefix",
    "-Xlinker", "-z", "-Xlinker", "now",
]

#if canImport(Glibc)
    // From 2.36 on, glibc reads relative relocations in a form that is 2.4 MB smaller. PARAPH_GLIBC is the oldest that the
    // program is to run with, where that is not this machine's.
    var version = [CChar](repeating: 0, count: 64)
    confstr(Int32(_CS_GNU_LIBC_VERSION), &version, version.count)
    let digits = version.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.split(separator: UInt8(ascii: " ")).last ?? []
    let oldest = Context.environment["PARAPH_GLIBC"] ?? String(decoding: digits, as: UTF8.self)
    let numbers = oldest.split(separator: ".").compactMap { Int($0) }
    if !numbers.lexicographicallyPrecedes([2, 36]) {
        release += ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
    }
#endif

// Not asked of git: sources may have none, and a build would compile and link again for each commit.
let commit = Context.environment["PARAPH_COMMIT"].flatMap { $0.isEmpty ? nil : $0 } ?? "unknown"

let package = Package(
    name: "paraph",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "paraph", targets: ["paraph"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        // Of swift-nio's own dependencies: error numbers and open files.
        .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.11.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.4.1"),
        // Of swift-distributed-tracing's own dependencies: what a span is started in.
        .package(url: "https://github.com/apple/swift-service-context.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        // Its default traits import the whole of Foundation, and the support for a configuration library.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
    ],
    targets: [
        .target(name: "Bytes"),
        .target(name: "Files", dependencies: [systemPackage]),
        .target(name: "PrometheusMetrics", dependencies: [coreMetrics]),
        .target(
            name: "OpenTelemetry",
            dependencies: ["Bytes", "PrometheusMetrics", coreMetrics, tracing, serviceContext, instrumentation]
        ),
        .target(name: "Inspection", dependencies: ["Bytes"]),
        .target(name: "OAuthSigning", dependencies: ["Bytes", crypto, cryptoExtras]),
        .target(name: "SignatureComparison", dependencies: ["Bytes", "OAuthSigning", crypto]),
        .target(name: "HTTP1Codec", dependencies: ["Bytes", .product(name: "NIOCore", package: "swift-nio")]),
        .target(
            name: "HTTP2Codec",
            dependencies: ["Bytes", "HTTP1Codec", .product(name: "NIOCore", package: "swift-nio")]
        ),
        .target(name: "UpstreamTrust", dependencies: ["Bytes", "Files", "Routing", crypto, x509, asn1]),
        .target(
            name: "LocalAuthority",
            dependencies: ["Bytes", "Files", "UpstreamTrust", "Routing", crypto, x509, asn1, systemPackage]
        ),
        .target(
            name: "Credentials",
            dependencies: [
                "Bytes", "Files", "OAuthSigning", "SignatureComparison", "UpstreamTrust", crypto, systemPackage,
            ]
        ),
        .target(name: "DirectoryWatching", dependencies: ["Files", systemPackage] + nio),
        .target(
            name: "CredentialStores",
            dependencies: [
                "Bytes", "Files", "DirectoryWatching", systemPackage, "Credentials", "OAuthSigning", "Routing",
                "Settings", crypto, nioSSL,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ] + nio
        ),
        .target(
            name: "Routing",
            dependencies: ["Bytes", "HTTP1Codec", .product(name: "NIOCore", package: "swift-nio")]
        ),
        .target(
            name: "ForwardProxy",
            dependencies: [
                "Bytes", "Files", "OAuthSigning", "HTTP1Codec", "HTTP2Codec", "UpstreamTrust", "LocalAuthority",
                "Credentials", "DirectoryWatching", "Routing", "Settings", "PrometheusMetrics", "OpenTelemetry",
                "Inspection", "SignatureComparison", tracing, x509, asn1, nioSSL, systemPackage, logging, coreMetrics,
                lifecycle,
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
            ] + nio
        ),
        .target(
            name: "AdminServer",
            dependencies: [
                "Bytes", "OAuthSigning", "Credentials", "Settings", "PrometheusMetrics", "Inspection", hummingbird,
                hummingbirdCore,
                httpTypes,
                nioHTTPTypes, logging, lifecycle,
                .product(name: "NIOExtras", package: "swift-nio-extras"),
            ] + nio,
            resources: [
                "inspector.html", "inspector.css", "icon.svg", "main.mjs", "dom.mjs", "connection.mjs", "list.mjs",
                "detail.mjs", "basestring.mjs", "copying.mjs", "views.mjs",
            ].map { .embedInCode("Inspector/Page/\($0)") }
        ),
        .target(
            name: "Settings",
            dependencies: [
                "Bytes", "OAuthSigning", "Credentials", "Routing", "UpstreamTrust", logging,
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .target(
            name: "ParaphConfiguration",
            dependencies: [
                "Bytes", "Files", "OAuthSigning", "UpstreamTrust", "Credentials", "Routing", "Settings", "CLibYAML",
                x509, systemPackage, logging, .product(name: "NIOCore", package: "swift-nio"),
            ],
            linkerSettings: [.linkedLibrary(":libyaml.a")]
        ),
        .systemLibrary(name: "CLibYAML", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CGlibc"),
        .target(name: "CBuild", cSettings: [.define("PARAPH_COMMIT", to: "\"\(commit)\"")]),
        .target(
            name: "ProviderSimulator",
            dependencies: [
                "Bytes", "OAuthSigning", hummingbirdCore, hummingbirdTLS, nioSSL, x509, asn1, crypto, logging,
                lifecycle, httpTypes,
            ] + nio
        ),
        .executableTarget(
            name: "paraph",
            dependencies: [
                "Bytes", "Files", "OAuthSigning", "SignatureComparison", "Credentials", "LocalAuthority", "Routing",
                "HTTP1Codec", "Settings", "UpstreamTrust", "PrometheusMetrics", "Inspection", "OpenTelemetry",
                systemPackage,
                "CredentialStores", "ForwardProxy", "AdminServer", "ParaphConfiguration", "ProviderSimulator",
                "CBuild", "CGlibc", crypto, x509, asn1, nioSSL, logging, lifecycle, unixSignals, hummingbird, httpTypes,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + nio,
            resources: [
                .embedInCode("ClientEnvironment/NodePreload.js"), .embedInCode("Doctor/NodeProbe.js"),
            ],
            linkerSettings: [.unsafeFlags(release, .when(platforms: [.linux], configuration: .release))]
        ),
        .testTarget(name: "OpenTelemetryTests", dependencies: ["OpenTelemetry", "PrometheusMetrics", tracing]),
        .testTarget(name: "InspectionTests", dependencies: ["Inspection", "Bytes"]),
        .testTarget(name: "PrometheusMetricsTests", dependencies: ["PrometheusMetrics", coreMetrics]),
        .testTarget(name: "BytesTests", dependencies: ["Bytes"]),
        .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport", systemPackage]),
        .testTarget(
            name: "SettingsTests",
            dependencies: ["Settings", .product(name: "NIOCore", package: "swift-nio")]
        ),
        .testTarget(
            name: "OAuthSigningTests",
            dependencies: ["Bytes", "OAuthSigning", "SigningVectors", "TestSupport", crypto, cryptoExtras],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "SignatureComparisonTests",
            dependencies: ["Bytes", "OAuthSigning", "SignatureComparison", "SigningVectors", crypto, cryptoExtras]
        ),
        .testTarget(
            name: "HTTP1CodecTests",
            dependencies: [
                "Bytes", "HTTP1Codec", "TestSupport",
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nio,
            resources: [.copy("Vectors")]
        ),
        .testTarget(
            name: "HTTP2CodecTests",
            dependencies: [
                "Bytes", "HTTP2Codec", "HTTP1Codec", "TestSupport", .product(name: "NIOCore", package: "swift-nio"),
            ],
            resources: [.copy("Vectors")]
        ),
        .testTarget(
            name: "UpstreamTrustTests",
            dependencies: ["UpstreamTrust", "Bytes", "Routing", "TestSupport", crypto, cryptoExtras, x509, asn1],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "LocalAuthorityTests",
            dependencies: [
                "LocalAuthority", "UpstreamTrust", "Routing", "TestSupport", crypto, cryptoExtras, x509, asn1,
            ]
        ),
        .testTarget(
            name: "CredentialsTests",
            dependencies: ["Bytes", "Credentials", "CredentialSamples", "OAuthSigning", "TestSupport", crypto],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "CredentialStoresTests",
            dependencies: [
                "CredentialStores", "DirectoryWatching", "Bytes", "Credentials", "CredentialSamples", "OAuthSigning",
                "Routing", "Settings", "TestSupport", crypto, nioSSL,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nio
        ),
        .testTarget(
            name: "ForwardProxyTests",
            dependencies: [
                "Bytes", "ForwardProxy", "OAuthSigning", "HTTP1Codec", "HTTP2Codec", "UpstreamTrust", "LocalAuthority",
                "Credentials", "CredentialStores", "Inspection", "Routing", "Settings", "OpenTelemetry",
                "ProviderSimulator", "TestParallelism", "TestSupport", systemPackage, nioSSL, x509, asn1, logging,
                lifecycle,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nio
        ),
        .target(name: "TestParallelism", path: "Tests/TestParallelism"),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(
            name: "CredentialSamples",
            dependencies: ["Credentials", "OAuthSigning"],
            path: "Tests/CredentialSamples"
        ),
        .target(
            name: "SigningVectors",
            dependencies: ["Bytes", "OAuthSigning"],
            path: "Tests/SigningVectors",
            resources: [.copy("Vectors")]
        ),
        .testTarget(
            name: "RoutingTests",
            dependencies: [
                "Routing", "Bytes", "HTTP1Codec", "TestSupport", .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "AdminServerTests",
            dependencies: [
                "AdminServer", "Bytes", "Credentials", "Inspection", "OAuthSigning", "TestSupport", httpTypes,
                nioHTTPTypes,
                logging,
                lifecycle,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nio
        ),
        .testTarget(
            name: "ParaphConfigurationTests",
            dependencies: [
                "ParaphConfiguration", "Bytes", "Files", "OAuthSigning", "UpstreamTrust", "Credentials", "Routing",
                "Settings",
                .product(name: "NIOCore", package: "swift-nio"), "TestSupport", crypto, cryptoExtras, x509, asn1,
            ],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "paraphTests",
            dependencies: [
                "AdminServer", "Bytes", "CredentialStores", "Files", "ForwardProxy", "paraph", "ProviderSimulator",
                "OAuthSigning",
                "Credentials", "ParaphConfiguration", "UpstreamTrust", "LocalAuthority", "Routing", "Settings",
                "PrometheusMetrics", "Inspection", "TestSupport", crypto, x509, logging, lifecycle,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + nio
        ),
        .testTarget(
            name: "ProviderSimulatorTests",
            dependencies: [
                "ProviderSimulator", "OAuthSigning", "TestSupport", nioSSL, x509, asn1, logging, lifecycle,
            ] + nio
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The check builds with PARAPH_STRICT=1: a warning in our own targets is then an error.
let strict = Context.environment["PARAPH_STRICT"] == "1"
let pureTargets: Set<String> = [
    "Bytes", "Files", "OAuthSigning", "SignatureComparison", "HTTP1Codec", "HTTP2Codec", "UpstreamTrust",
    "LocalAuthority", "Credentials", "Routing", "Settings", "PrometheusMetrics", "OpenTelemetry", "Inspection",
]
for target in package.targets where target.type != .system {
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
    if pureTargets.contains(target.name) { settings.append(.strictMemorySafety()) }
    // Unoptimized, what is computed here takes more than a third of all the time of the tests.
    if ["Bytes", "OAuthSigning", "SignatureComparison", "HTTP1Codec", "HTTP2Codec"].contains(target.name) {
        settings.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
    if strict { settings.append(.treatAllWarnings(as: .error)) }
    target.swiftSettings = settings
}
