import Bytes
import SigningVectors
import Testing
import TestSupport

@testable import OAuthSigning

@Suite("Properties", .generousLimit, .timed)
struct PropertyTests {
    private static let form = Array("application/x-www-form-urlencoded; charset=UTF-8".utf8)

    @Test("What is signed is what is sent", arguments: ParameterPlacement.allCases, 0..<40)
    func signedIsSent(_ placement: ParameterPlacement, _ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<5 {
            let request = try Self.request(placement, using: &random)
            let signed: SignedRequest
            do throws(SigningError) {
                signed = try request.sign()
            } catch .repeatedParameter {
                // The generator made one of the signer's own names: that the request is refused is right.
                #expect(try !request.explain().repeatedParameters.isEmpty)
                continue
            }
            var sent = request.applying(signed)
            let verified = try sent.verify(request.credentials).get()
            let explanation = try request.explain()
            #expect(verified.baseString == explanation.baseString)
            #expect(explanation.signed == signed)
            // PLAINTEXT covers nothing of the request.
            guard request.signer.options.signatureMethod != .plaintext else { continue }
            sent.method = Array("PATCH".utf8)
            #expect(throws: VerificationFailure.self) { try sent.verify(request.credentials).get() }
        }
    }

    @Test("A signature does not depend on what was signed before it", arguments: ParameterPlacement.allCases, 0..<8)
    func scratch(_ placement: ParameterPlacement, _ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var scratch = SigningScratch()
        for _ in 0..<10 {
            var request = try Self.request(placement, using: &random)
            // Some take more room than is kept.
            if Int.random(in: 0..<4, using: &random) == 0 {
                let count = Int.random(in: 0..<10_000, using: &random)
                request.target = Array("/?a=".utf8) + Array(repeating: UInt8(ascii: "a"), count: count)
            }
            let alone = Result { () throws(SigningError) in try request.sign() }
            let after = Result { () throws(SigningError) in try request.sign(scratch: &scratch) }
            #expect(after == alone)
        }
    }

    @Test("What one request has of the protocol's parameters is nothing to the next")
    func scratchForgets() throws {
        var scratch = SigningScratch()
        var request = try SignableRequest()
        request.target = Array("/?oauth_callback=oob".utf8)
        _ = try request.sign(scratch: &scratch)
        request.additional = [ProtocolParameter(name: "oauth_callback", value: "oob")]
        #expect(throws: SigningError.repeatedParameter(name: "oauth_callback")) {
            try request.sign(scratch: &scratch)
        }
        _ = try SignableRequest().sign(scratch: &scratch)
        request.target = Array("/".utf8)
        #expect(try request.sign(scratch: &scratch) == request.sign())
    }

    @Test("Any two orders of the same parameters give one base string", arguments: 0..<60)
    func order(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 1...60, using: &random)
        let pairs = (0..<count).map { _ in random.bytes(upTo: 12, excluding: "&") }
        var request = try SignableRequest()
        request.target = Array("/?".utf8) + Array(pairs.joined(separator: [UInt8(ascii: "&")]))
        let one = try request.explain()
        request.target = Array("/?".utf8) + Array(pairs.shuffled(using: &random).joined(separator: [UInt8(ascii: "&")]))
        let other = try request.explain()
        // Half of them in the form instead.
        request.target = Array("/?".utf8) + Array(pairs.prefix(count / 2).joined(separator: [UInt8(ascii: "&")]))
        request.contentType = Self.form
        request.body = Array(pairs.dropFirst(count / 2).joined(separator: [UInt8(ascii: "&")]))
        let third = try request.explain()
        #expect(one.baseString == other.baseString && one.baseString == third.baseString)
        #expect(one.signature == other.signature && one.signature == third.signature)
    }

    @Test("The order is that of the encoded pairs, by a plainer way", arguments: 0..<60)
    func reference(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let pairs = (0..<Int.random(in: 1...70, using: &random)).map { _ in
            (random.bytes(upTo: 11, excluding: "_"), random.bytes(upTo: 9))
        }
        var request = try SignableRequest(
            options: SigningOptions(
                includesVersion: false,
                omitted: [.consumerKey, .signatureMethod, .nonce, .timestamp, .token]
            )
        )
        let query = pairs.map { PercentEncoding.encode($0) + [UInt8(ascii: "=")] + PercentEncoding.encode($1) }
        request.target = Array("?".utf8) + Array(query.joined(separator: [UInt8(ascii: "&")]))
        let expected =
            pairs
            .map { (PercentEncoding.encode($0), PercentEncoding.encode($1)) }
            .sorted { ($0.0[...].text, $0.1[...].text) < ($1.0[...].text, $1.1[...].text) }
            .map { $0[...].text + "=" + $1[...].text }
        #expect(try request.explain().normalizedParameters == expected.joined(separator: "&"))
    }

    @Test("Encoding and decoding are inverse", arguments: 0..<60)
    func inverse(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = random.bytes(upTo: 300)
        let encoded = PercentEncoding.encode(bytes)
        #expect(PercentEncoding.decodeLeniently(encoded.span) == bytes)
        #expect(PercentEncoding.decodeLeniently(encoded.span, plusIsSpace: true) == bytes)
        #expect(encoded.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "%") })
    }

    /// Any request that can be put together, with any credentials.
    private static func request(
        _ placement: ParameterPlacement,
        using random: inout SeededGenerator
    ) throws -> SignableRequest {
        let hasToken = Bool.random(using: &random)
        let methods: [SignatureMethod] = [.hmacSHA1, .hmacSHA256, .hmacSHA512, .plaintext]
        var request = try SignableRequest(
            client: ClientCredentials(identifier: random.text(upTo: 20), sharedSecret: Secret(random.text(upTo: 20))),
            token: hasToken
                ? TokenCredentials(token: "t" + random.text(upTo: 20), secret: Secret(random.text(upTo: 20))) : nil,
            options: SigningOptions(
                signatureMethod: methods.randomElement(using: &random) ?? .hmacSHA1,
                bodyHash: placement == .body ? .off : BodyHashPolicy.allCases.randomElement(using: &random) ?? .off,
                placement: placement,
                sendsEmptyToken: .random(using: &random),
                includesVersion: .random(using: &random)
            )
        )
        request.scheme = Array((Bool.random(using: &random) ? "http" : "https").utf8)
        request.authority = Array(
            ["API.example.com:443", "[::1]:8080", "h:80"].randomElement(using: &random)?.utf8 ?? "h".utf8
        )
        request.target = Array("/".utf8) + random.bytes(upTo: 60)
        if placement == .body || Bool.random(using: &random) {
            request.contentType = form
            request.body = random.bytes(upTo: 80)
        }
        request.nonce = Array("n".utf8) + random.bytes(upTo: 10)
        request.additional = (0..<Int.random(in: 0...3, using: &random)).map { number in
            ProtocolParameter(name: "x\(number)" + random.text(upTo: 6), value: random.text(upTo: 9))
        }
        return request
    }
}
