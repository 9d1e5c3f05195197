import Bytes
import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("Normalization")
struct NormalizationTests {
    @Test(
        "Awkward queries and forms are read as bytes",
        arguments: [
            ("a=%zz", "a=%25zz"),
            ("a=%4&b=%", "a=%254&b=%25"),
            ("a=%%41", "a=%25A"),
            ("a=%c3%a9", "a=%C3%A9"),
            ("a=%ff%FE", "a=%FF%FE"),
            ("%00=%0d%0a", "%00=%0D%0A"),
            ("a+b=c%20d%2Be", "a%20b=c%20d%2Be"),
            ("a;b=c;d", "a%3Bb=c%3Bd"),
            ("a&&b&", "a=&b="),
            ("&", ""),
            ("", ""),
            ("=", "="),
            ("=v", "=v"),
            ("a==b=", "a=%3Db%3D"),
            ("a%3Db=c", "a%3Db=c"),
            ("a%26b=c", "a%26b=c"),
            ("a[b]=\"c|d\"", "a%5Bb%5D=%22c%7Cd%22"),
            ("q?=/?", "q%3F=%2F%3F"),
            ("%61=1&a=1", "a=1&a=1"),
            ("%7E=~&%2d=-", "-=-&~=~"),
            ("é=ü", "%C3%A9=%C3%BC"),
            ("a=#f", "a=%23f"),
        ]
    )
    func awkward(_ form: String, _ normalized: String) throws {
        #expect(try Self.normalized(Array(form.utf8)) == normalized)
    }

    @Test("Any byte stands for itself in a value, whether it is valid UTF-8 or not")
    func anyByte() throws {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "&") {
            let value: [UInt8] = byte == UInt8(ascii: "+") ? [UInt8(ascii: " ")] : [byte]
            let expected = "a=" + String(decoding: PercentEncoding.encode(value), as: UTF8.self)
            #expect(try Self.normalized(Array("a=".utf8) + [byte]) == expected)
        }
    }

    @Test(
        "Parameters are ordered by encoded name, then by encoded value",
        arguments: [
            ("a=2&a=1&a=", "a=&a=1&a=2"),
            ("b&a&B&A", "A=&B=&a=&b="),
            // An escape sorts as the percent sign it begins with: before every unreserved character.
            ("a-=1&a!=2&a=3&a%FF=4", "a=3&a%21=2&a%FF=4&a-=1"),
            ("x=~&x=%7B&x=-&x=z", "x=%7B&x=-&x=z&x=~"),
            // A name that another one begins with comes first, whatever their values.
            ("ab=0&a=9&abcdefghi=1&abcdefgh=2", "a=9&ab=0&abcdefgh=2&abcdefghi=1"),
            ("oauth_zz=1&oauth_=2&oauth=3", "oauth=3&oauth_=2&oauth_zz=1"),
        ]
    )
    func order(_ form: String, _ normalized: String) throws {
        #expect(try Self.normalized(Array(form.utf8)) == normalized)
    }

    @Test("Hundreds of parameters are in the same order as a few")
    func many() throws {
        let numbers = (0..<500).map { ($0 * 7919) % 500 }
        let form = numbers.map { "n=\($0)" }.joined(separator: "&")
        let expected = (0..<500).map { "n=\($0)" }.sorted().joined(separator: "&")
        #expect(try Self.normalized(Array(form.utf8)) == expected)
    }

    @Test("A name of the query that is spelt oauth_signature in any way is never signed")
    func signatureIsExcluded() throws {
        #expect(try Self.normalized(Array("a=1&oauth_signature=x&oauth%5Fsignature=y".utf8)) == "a=1")
        #expect(try Self.normalized(Array("oauth_signature_method=x".utf8)) == "oauth_signature_method=x")
    }

    /// The normalized parameters of a request with that query and nothing of the protocol.
    private static func normalized(_ query: [UInt8]) throws -> String {
        let nothing: OmittedParameters = [.consumerKey, .signatureMethod, .nonce, .timestamp, .token]
        var request = try SignableRequest(options: SigningOptions(includesVersion: false, omitted: nothing))
        request.target = Array("/?".utf8) + query
        let ofQuery = try request.explain()
        request.target = Array("/".utf8)
        request.contentType = Array("application/x-www-form-urlencoded".utf8)
        request.body = query
        let ofForm = try request.explain()
        #expect(ofQuery.normalizedParameters == ofForm.normalizedParameters)
        return ofQuery.normalizedParameters
    }
}
