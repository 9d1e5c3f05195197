import HTTP1Codec
import HTTP2Codec
import NIOCore

/// The work that is measured: that of H2 in `Benchmarks/Proxy`.
enum Work {
    /// Streams that are open at once.
    static let inFlight = 64
    /// Requests or responses that come with one read.
    static let perRead = 8
    static let body = ByteBuffer(string: #"{"text":""# + String(repeating: "t", count: 1013) + #""}"#)

    static let authority = "api.example.com"
    static let path =
        "/1.1/statuses/show.json?id=210000000000000000&include_entities=true&tweet_mode=extended"
        + "&include_my_retweet=false&screen_name=caf%C3%A9%20bench"
    static let userAgent = "h2load nghttp2/1.52.0"
    static let via = "2 paraph"

    /// The fields of each response, as nginx sends them.
    static let responseFields = [
        (name: "server", value: "nginx/1.22.1"), (name: "date", value: "Thu, 26 Nov 2026 01:17:26 GMT"),
        (name: "content-type", value: "application/json"), (name: "content-length", value: "1024"),
    ]

    /// Values of Authorization fields, one after another: each signature is another one.
    static let authorizations = (0..<64).map { number in
        let digit = "0123456789abcdef".utf8.map { String(UnicodeScalar($0)) }
        let nonce = (0..<32).map { digit[(number * 7 + $0 * ($0 + number)) & 15] }.joined()
        return #"OAuth oauth_consumer_key="benchConsumerKey0123456789", oauth_nonce="\#(nonce)", "#
            + #"oauth_signature="\#(nonce.prefix(26))%3D", oauth_signature_method="HMAC-SHA1", "#
            + #"oauth_timestamp="1700000000", oauth_token="12345678-benchAccessToken0", oauth_version="1.0""#
    }

    /// The head of each request, as the proxy has it.
    static func requestHead() throws -> RequestHead {
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        return try decoder.request(PeerInput.firstRequestBlock, endsStream: true)
    }

    /// The head of each response, as the proxy has it.
    static func responseHead() throws -> ResponseHead {
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        return try decoder.response(PeerInput.responseBlock, endsStream: false, to: .get)
    }
}
