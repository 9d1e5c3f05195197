import Credentials
import OAuthSigning

extension Preset {
    static let twitter = Preset(
        name: "twitter",
        title: "X (Twitter)",
        hosts: ["api.x.com", "api.twitter.com"],
        signatureMethods: [.hmacSHA1],
        ways: [.threeLegged, .token, .twoLegged, .reverseAuth, .xAuth],
        threeLegged: ThreeLeggedAddresses(
            requestToken: .path("/oauth/request_token"),
            authorize: .path("/oauth/authorize"),
            accessToken: .path("/oauth/access_token")
        ),
        directExchange: DirectExchangeAddresses(
            requestToken: .path("/oauth/request_token"),
            accessToken: .path("/oauth/access_token")
        ),
        callback: .outOfBand,
        needsRegisteredCallback: true,
        caveat: "JSON and multipart bodies take no part in the signature; TLS alone protects them underway",
        notes: [
            "A callback must be on the application's list, port included; without one the verifier is typed (oob).",
            "Reverse auth and xAuth were only ever open to applications that Twitter had admitted.",
        ],
        source: "https://docs.x.com/fundamentals/authentication/oauth-1-0a/creating-a-signature"
    )

    static let discogs = Preset(
        name: "discogs",
        title: "Discogs",
        hosts: ["api.discogs.com"],
        options: SigningOptions(signatureMethod: .plaintext),
        signatureMethods: [.plaintext, .hmacSHA1],
        ways: [.threeLegged, .token],
        threeLegged: ThreeLeggedAddresses(
            requestToken: .path("/oauth/request_token"),
            authorize: .url("https://www.discogs.com/oauth/authorize"),
            accessToken: .path("/oauth/access_token")
        ),
        caveat: "it refuses clients that send no User-Agent of their own, like MyShop/1.0",
        notes: [
            "60 requests a minute; X-Discogs-Ratelimit-Remaining says how many are left."
        ],
        source: "https://www.discogs.com/developers/#page:authentication"
    )

    static let flickr = Preset(
        name: "flickr",
        title: "Flickr",
        hosts: ["www.flickr.com", "api.flickr.com"],
        signatureMethods: [.hmacSHA1],
        ways: [.threeLegged, .token],
        threeLegged: ThreeLeggedAddresses(
            requestToken: .path("/services/oauth/request_token"),
            authorize: .path("/services/oauth/authorize"),
            accessToken: .path("/services/oauth/access_token")
        ),
        caveat:
            "uploads (up.flickr.com) are refused, for Flickr wants the fields of their multipart body signed, against "
            + "RFC 5849",
        notes: ["authorize_parameters: {perms: read}, or write or delete, says what the token may do."],
        source: "https://www.flickr.com/services/api/auth.oauth.html"
    )

    static let tumblr = Preset(
        name: "tumblr",
        title: "Tumblr",
        hosts: ["www.tumblr.com", "api.tumblr.com"],
        signatureMethods: [.hmacSHA1],
        ways: [.threeLegged, .token],
        threeLegged: ThreeLeggedAddresses(
            requestToken: .path("/oauth/request_token"),
            authorize: .path("/oauth/authorize"),
            accessToken: .path("/oauth/access_token")
        ),
        notes: ["Array parameters are named data[0], data[1] and so on, and signed under these names."],
        source: "https://www.tumblr.com/docs/en/api/v2#oauth1-authorization"
    )

    static let smugMug = Preset(
        name: "smugmug",
        title: "SmugMug",
        hosts: ["api.smugmug.com"],
        signatureMethods: [.hmacSHA1, .plaintext],
        ways: [.threeLegged, .token],
        threeLegged: ThreeLeggedAddresses(
            requestToken: .path("/services/oauth/1.0a/getRequestToken"),
            authorize: .path("/services/oauth/1.0a/authorize"),
            accessToken: .path("/services/oauth/1.0a/getAccessToken")
        ),
        callback: .outOfBand,
        authorizeParameters: [
            ("Access", "Full", "shows the token only what is public"), ("Permissions", "Modify", "lets it only read"),
        ],
        notes: [
            "The authorize_parameters say what the token may do: Access is Public or Full, Permissions Read, Add or Modify.",
            "The verifier is a number of six digits, which expires after five minutes.",
        ],
        source: "https://api.smugmug.com/api/v2/doc/tutorial/authorization.html"
    )
}
