import SignatureComparison

@testable import OAuthSigning

extension OtherSigner {
    private static let get = "GET&https%3A%2F%2Fapi.example.com%2Fr&"
    private static let post = "POST&https%3A%2F%2Fapi.example.com%2Fr&"

    private static func query(_ query: String) -> (inout OtherSigner) -> Void {
        { $0.url = "https://api.example.com/r?" + query }
    }

    private static func form(_ form: String, _ contentType: String? = nil) -> (inout OtherSigner) -> Void {
        {
            $0.method = "POST"
            $0.url = "https://api.example.com/r"
            $0.body = form
            $0.contentType = contentType ?? "application/x-www-form-urlencoded"
        }
    }

    private static func with(_ name: String, _ value: String) -> [(String, String)] {
        usual.filter { $0.0 != name } + [(name, value)]
    }

    private static func without(_ name: String) -> [(String, String)] { usual.filter { $0.0 != name } }

    /// The signers that differ in which parameters are signed.
    static let parameters: [OtherSigner] = [
        OtherSigner("the query not signed", .queryNotSigned, get + ours),
        OtherSigner(
            "a form not signed because of its charset",
            .formCharset,
            post + ours,
            change: form("a=1", "application/x-www-form-urlencoded; charset=UTF-8")
        ),
        OtherSigner("a form not signed", .formNotSigned, post + ours, change: form("a=1")),
        OtherSigner(
            "JSON signed as a form",
            .bodySignedAsForm,
            post + "%257B%2522a%2522%253A1%257D%3D%26" + ours,
            change: form(#"{"a":1}"#, "application/json")
        ),
        OtherSigner("the last of two kept", .duplicateDropped, get + "a%3D2%26" + ours, change: query("a=1&a=2")),
        OtherSigner("the first of two kept", .duplicateDropped, get + "a%3D1%26" + ours, change: query("a=1&a=2")),
        OtherSigner(
            "one of two equal ones kept",
            .duplicateDropped,
            get + "a%3D1%26a%3D2%26" + ours,
            change: query("a=1&a=2&a=1")
        ),
        OtherSigner("two joined by a comma", .duplicateJoined, get + "a%3D1%252C2%26" + ours, change: query("a=1&a=2")),
        OtherSigner(
            "one of several dropped",
            .parameterNotSigned,
            get + "a%3D1%26c%3D3%26" + ours,
            change: query("a=1&b=2&c=3")
        ),
        OtherSigner(
            "a name with brackets counted",
            .arrayIndexed,
            get + "a%255B0%255D%3D2%26a%255B1%255D%3D1%26" + ours,
            change: query("a[]=2&a[]=1")
        ),
        OtherSigner(
            "the time taken twice",
            .timestamp,
            get + "a%3D1%26" + ours.replacing("1700000000", with: "1700000003"),
            change: query("a=1")
        ),
        OtherSigner("an empty one dropped", .emptyParameterDropped, get + "a%3D1%26" + ours, change: query("a=1&b=")),
        OtherSigner("a name without =", .equalsMissing, get + "a%3D1%26b%26" + ours, change: query("a=1&b")),
        OtherSigner(
            "a semicolon that ends a parameter",
            .semicolonSeparator,
            get + "a%3D1%26b%3D2%26" + ours,
            change: query("a=1;b=2")
        ),
        OtherSigner("a plus sign kept", .plusKept, get + "a%3D1%252B2%26" + ours, change: query("a=1+2")),
        OtherSigner(
            "oauth_version not signed",
            .parameterNotSigned,
            get + "a%3D1%26" + ours.replacing("%26oauth_version%3D1.0", with: "")
        ),
        OtherSigner(
            "oauth_version signed and not sent",
            .parameterAdded,
            get + "a%3D1%26" + ours,
            sent: without("oauth_version")
        ),
        OtherSigner(
            "an empty oauth_token signed and not sent",
            .parameterAdded,
            get + "a%3D1%26" + ours.replacing("token%3Dtk", with: "token%3D"),
            sent: without("oauth_token")
        ),
        OtherSigner(
            "an empty oauth_token sent and not signed",
            .parameterNotSigned,
            get + "a%3D1%26" + ours.replacing("%26oauth_token%3Dtk", with: ""),
            sent: with("oauth_token", "")
        ),
        OtherSigner(
            "our token signed and another one sent",
            .parameterValue,
            get + "a%3D1%26" + ours,
            sent: with("oauth_token", "other")
        ),
        OtherSigner("the realm signed", .realmSigned, get + "a%3D1%26" + ours + "%26realm%3DPhotos") {
            $0.realm = "Photos"
        },
        OtherSigner(
            "an empty signature signed",
            .signatureSigned,
            get + "a%3D1%26" + ours.replacing("%26oauth_signature_m", with: "%26oauth_signature%3D%26oauth_signature_m")
        ),
        OtherSigner(
            "a callback encoded twice in the field",
            .doubleEncoding,
            get + "a%3D1%26oauth_callback%3Dhttp%253A%252F%252Fh%252F%26" + ours,
            sent: with("oauth_callback", "http%253A%252F%252Fh%252F")
        ),
    ]
}
