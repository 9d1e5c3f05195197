// swift-tools-version: 6.2
import PackageDescription

let crypto: [Target.Dependency] = [
    .product(name: "Crypto", package: "swift-crypto"),
    .product(name: "CryptoExtras", package: "swift-crypto"),
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: []),
    ],
    targets: [
        // Symbolic links to the sources: what they declare with `package` access can be used only inside one package.
        .target(name: "Bytes", swiftSettings: [.strictMemorySafety()]),
        .target(name: "OAuthSigning", dependencies: ["Bytes"] + crypto, swiftSettings: [.strictMemorySafety()]),
        .target(name: "HTTP1Codec", dependencies: ["Bytes", nioCore], swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "HTTP2Codec",
            dependencies: ["Bytes", "HTTP1Codec", nioCore],
            swiftSettings: [.strictMemorySafety()]
        ),
        .executableTarget(
            name: "Signing",
            dependencies: ["Bytes", "OAuthSigning", .product(name: "Benchmark", package: "benchmark")],
            path: "Signing",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        // Not directly in this folder: `swift package benchmark` takes every executable there for a benchmark of its own.
        .executableTarget(
            name: "HTTP2",
            dependencies: [
                "Bytes", "HTTP1Codec", "HTTP2Codec", nioCore, .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
            ],
            path: "HTTP2/Comparison"
        ),
    ],
    swiftLanguageModes: [.v6]
)

// LIBOAUTH=1 measures C's liboauth beside ours; it needs Debian's liboauth-dev.
if Context.environment["LIBOAUTH"] == "1" {
    package.targets.append(.systemLibrary(name: "CLiboauth", path: "CLiboauth", providers: [.apt(["liboauth-dev"])]))
    for target in package.targets where target.name == "Signing" {
        target.dependencies.append("CLiboauth")
        target.swiftSettings = [.define("LIBOAUTH")]
    }
}

for target in package.targets where target.type != .system {
    var settings = target.swiftSettings ?? []
    settings.append(.enableUpcomingFeature("ExistentialAny"))
    settings.append(.enableUpcomingFeature("InternalImportsByDefault"))
    settings.append(.enableUpcomingFeature("MemberImportVisibility"))
    settings.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
    target.swiftSettings = settings
}
