import Bytes
import Testing

@testable import Inspection

@Suite("A secret is redacted whatever stands around it")
struct RedactionPropertyTests {
    private static let secret = "SECRETSECRET"
    private static let pieces = [
        "&", ";", "?", "#", "/", "=", "%26", "%3D", "%", "\u{301}", "a", "token", "x=", "@", "//", " ", "…", "é",
        "\u{0}",
    ]

    /// The same numbers in each run (SplitMix64).
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
            return bits ^ bits >> 31
        }
    }

    private static func query(_ numbers: inout Numbers) -> String {
        func some(_ numbers: inout Numbers) -> String {
            (0..<Int.random(in: 0..<6, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }
                .joined()
        }
        let name = ["token", "access_token", "%74oken", "user[password]"].randomElement(using: &numbers) ?? ""
        return "\(some(&numbers))&\(name)=\(secret)\(some(&numbers))&\(some(&numbers))"
    }

    /// Byte by byte: with what combines behind it, its last letter is another character.
    private static func shows(_ text: String) -> Bool { Array(text.utf8).contains(Array(secret.utf8)) }

    @Test("It is left out, and known as one", arguments: [1, 2, 3, 4])
    func redacts(seed: UInt64) {
        var numbers = Numbers(state: seed)
        for _ in 0..<100 {
            let query = Self.query(&numbers)
            let encoded = String(decoding: PercentEncoding.encode(query.utf8), as: UTF8.self)
            for text in [
                Redaction.query(query), Redaction.target("/p?\(query)"), Redaction.query("next=\(encoded)"),
                Redaction.target("https://a.test/b?next=\(encoded)"),
                Redaction.field("Referer", "https://a.test/?\(query)"),
            ] {
                #expect(!Self.shows(text), "\(query) is shown as \(text)")
            }
            #expect(Redaction.query(Redaction.query(query)) == Redaction.query(query))
            var found = SecretValues()
            found.add(target: "/p?\(query)")
            #expect(found.values.contains(where: Self.shows), "\(query)")
            var inner = SecretValues()
            inner.add(body: "next=\(encoded)", mediaType: "application/x-www-form-urlencoded")
            #expect(inner.values.contains(where: Self.shows), "\(encoded)")
        }
    }

    @Test(
        "It is left out among much else, of which nothing else is",
        arguments: [
            "token:", "a:", "a=", "<a>", ">", "%25", "{", "\"", "\\", "eyJ", "Bearer ", "eyJaaaaaa.", "//@", "+",
            "key ", "é", "\u{301}",
        ]
    )
    func bounds(piece: String) {
        let filler = String(repeating: piece, count: 4 * 1024 / piece.utf8.count)
        let query = "page=1&a=\(filler)&access_token=\(Self.secret)&last=2"
        for shown in [Redaction.query(query), String(Redaction.target("/p?\(query)").dropFirst(3))] {
            #expect(!Self.shows(shown))
            #expect(shown.utf8.starts(with: "page=1&a=".utf8))
            // Behind what was left out of a text of another form nothing is known to be a parameter of the query.
            #expect(shown == "page=1&a=…" || shown.hasSuffix("&access_token=…&last=2"), "\(shown.suffix(40))")
        }
        #expect(Redaction.query("page=1&last=2&a=\(filler)").utf8.starts(with: "page=1&last=2&a=".utf8))
        for text in [
            Redaction.field("X-A", "\(filler) access_token: \(Self.secret)"),
            Redaction.query("a=\(filler)%26access_token%3D\(Self.secret)"),
            Redaction.query("a={\"b\":\"\(filler)\",\"pin\":\"\(Self.secret)\"}"),
        ] {
            #expect(!Self.shows(text), "\(text.suffix(40))")
        }
        let path = Redaction.path("/page;token=\(Self.secret)/\(filler)/token/\(Self.secret)/last")
        #expect(!Self.shows(path))
        #expect(path.utf8.starts(with: "/page;token=…/".utf8))
        var found = SecretValues()
        found.add(target: "/p?\(query)")
        #expect(!found.isWhole || found.values.contains(where: Self.shows))
    }

    @Test("A text with more names, or more in its values, than is looked at is left out, and not known as a whole")
    func excess() {
        let names = String(repeating: "\"name\":1,", count: 600) + "\"password\":\"\(Self.secret)\""
        let value = "\"password\":\"\(String(repeating: Self.secret, count: 1_500))\""
        for text in [names, value] {
            #expect(Redaction.query("page=1&a={\(text)}") == "page=1&a=…")
            #expect(Redaction.field("X-A", "{\(text)}") == Redaction.mark)
            var found = SecretValues()
            found.add(target: "/p?a={\(text)}")
            #expect(!found.isWhole)
        }
    }

    @Test("A long name is looked at as a whole, and one that is too long for that is taken for a secret's")
    func longNames() {
        for count in [100, 200, 300] {
            let rest = String(repeating: "x", count: count)
            #expect(Redaction.query("a={\"token_\(rest)\":\"\(Self.secret)\"}") == "a=…")
            let element = "<password a=\"\(rest)\">\(Self.secret)</password>"
            #expect(Redaction.query("a=\(element)") == "a=…")
        }
    }
}
