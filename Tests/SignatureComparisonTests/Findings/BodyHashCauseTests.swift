import Crypto
import Foundation
import Testing

@testable import OAuthSigning
@testable import SignatureComparison

@Suite("Causes of a wrong oauth_body_hash")
struct BodyHashCauseTests {
    private static let body = #"{"name": "José", "to": "a/b"}"#

    private static func sha1(_ text: String) -> Data { sha1(Data(text.utf8)) }
    private static func sha1(_ data: Data) -> Data { Data(Insecure.SHA1.hash(data: data)) }
    private static func hexadecimal(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

    private static func finding(_ hash: String, _ body: String = body, _ type: String = "application/json")
        -> ComparisonFinding?
    {
        BodyHashCause(of: hash, body: Array(body.utf8), contentType: Array(type.utf8), method: .hmacSHA1)?.finding
    }

    private static let causes: [(String, String)] = [
        (sha1("").base64EncodedString(), "an empty body"), (hexadecimal(sha1(body)), "in hexadecimal digits"),
        (Data(hexadecimal(sha1(body)).utf8).base64EncodedString(), "Base64 of hexadecimal digits"),
        (Data(SHA256.hash(data: Data(body.utf8))).base64EncodedString(), "a hash by SHA256"),
        (Data(Insecure.MD5.hash(data: Data(body.utf8))).base64EncodedString(), "a hash by MD5"),
        (sha1("null").base64EncodedString(), "the word null"),
        (sha1("{}").base64EncodedString(), "{}, an empty object"),
        (sha1(#"{"name":"José","to":"a/b"}"#).base64EncodedString(), "without blanks (compact"),
        (sha1(#"{"name": "José", "to": "a\/b"}"#).base64EncodedString(), "escaped slashes"),
        (sha1(#"{"name": "Jos\u00e9", "to": "a/b"}"#).base64EncodedString(), "letters outside of ASCII"),
        (sha1(body + "\n").base64EncodedString(), "a line end"),
        (sha1(body.data(using: .isoLatin1) ?? Data()).base64EncodedString(), "ISO-8859-1"),
        (sha1(body.data(using: .utf16LittleEndian) ?? Data()).base64EncodedString(), "UTF-16"),
        (String(sha1(body).base64EncodedString().dropLast()), "padding"),
        (sha1(body).base64EncodedString() + "\n", "white space"),
        (OtherSigner.encoded(sha1(body).base64EncodedString()), "percent-encoded once too often"),
        (Data(body.utf8).base64EncodedString(), "not hashed"),
    ]

    @Test("Why a hash is not the right one is told", arguments: causes)
    func cause(_ hash: String, _ words: String) throws {
        let finding = try #require(Self.finding(hash))
        #expect(finding.cause == .bodyHash && finding.certainty == .seen)
        #expect(finding.sentence.contains(words), "\(finding.sentence)")
    }

    @Test("The parts of a multipart body are tried by themselves")
    func multipart() throws {
        let body = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\n\r\ntext\r\n--b--\r\n"
        let hash = Self.sha1("text").base64EncodedString()
        let finding = try #require(Self.finding(hash, body, "multipart/form-data; boundary=b"))
        #expect(finding.sentence.contains("the part f of the multipart body alone, a file"))
    }

    @Test(
        "Nothing is claimed of any other hash",
        arguments: ["", "x", Data(repeating: 7, count: 20).base64EncodedString()]
    )
    func other(_ hash: String) { #expect(Self.finding(hash) == nil) }
}
