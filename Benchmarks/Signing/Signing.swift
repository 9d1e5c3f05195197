import Benchmark
import CryptoExtras
import OAuthSigning

/// One thread, the signature and the Authorization field; the nonce is made elsewhere.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = Benchmark.Configuration(
        metrics: [.wallClock],
        timeUnits: .nanoseconds,
        scalingFactor: .kilo,
        maxDuration: .seconds(2),
        maxIterations: 100_000
    )
    do {
        let privateKey = try RSASigningKey(
            pem: Secret(_RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation)
        )
        let rsa = try SigningCase(getSignedWith: .rsaSHA256, privateKey: privateKey)
        let cases = [
            try SigningCase(getSignedWith: .hmacSHA1),
            try SigningCase(getSignedWith: .hmacSHA256),
            try SigningCase(getSignedWith: .plaintext),
            try SigningCase(formSignedWith: .hmacSHA1),
        ]
        for signing in cases {
            Benchmark(signing.name) { benchmark in
                var scratch = SigningScratch()
                for _ in benchmark.scaledIterations { blackHole(try signing.sign(scratch: &scratch)) }
            }
        }
        #if LIBOAUTH
            Benchmark("HMAC-SHA1, GET, 5 query parameters, C liboauth") { benchmark in
                for _ in benchmark.scaledIterations { blackHole(LiboauthSigner.sign()) }
            }
        #endif
        // Several hundred times slower than the others, so not a thousand to a sample.
        Benchmark(rsa.name, configuration: Benchmark.Configuration(scalingFactor: .one)) { _ in
            var scratch = SigningScratch()
            blackHole(try rsa.sign(scratch: &scratch))
        }
    } catch {
        Benchmark("Preparation of the requests") { $0.error("\(error)") }
    }
}
