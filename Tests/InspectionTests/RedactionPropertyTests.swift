import Bytes
import Testing

@testable import Inspection

@Suite("Whatever stands around a secret")
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
        for _ in 0..<2_000 {
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
        "Values of 64 KiB take time that grows with their length",
        arguments: [
            "token:", "a:", "a=", "<a>", ">", "%25", "{", "\"", "eyJ", "Bearer ", "eyJaaaaaa.", "//@", "+", "key ",
        ]
    )
    func bounds(piece: String) {
        let value = String(repeating: piece, count: 64 * 1024 / piece.utf8.count)
        let taken = ContinuousClock().measure {
            _ = Redaction.query("a=\(value)")
            _ = Redaction.field("X-A", value)
            _ = Redaction.path(value)
            var found = SecretValues()
            found.add(target: value)
        }
        #expect(taken < .seconds(20))
    }
}
