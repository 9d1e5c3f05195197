import Bytes
import Testing

@Suite struct URISchemeTests {
    @Test(
        arguments: [
            ("http", .http), ("https", .https), ("HTTP", .http), ("hTTpS", .https), ("", nil), ("htt", nil),
            ("httpss", nil),
            ("https:", nil), (" http", nil), ("ftp", nil), ("ws", nil), ("http\u{17f}", nil), ("h\u{14}tp", nil),
        ] as [(String, URIScheme?)]
    )
    func `A name in letters of either case is that of a scheme`(_ name: String, _ scheme: URIScheme?) {
        let bytes = Array(name.utf8)
        #expect(URIScheme(name: bytes.span) == scheme)
    }

    @Test(arguments: URIScheme.allCases)
    func `A scheme has its own name`(_ scheme: URIScheme) {
        #expect(scheme.bytes == Array(scheme.rawValue.utf8))
        #expect(URIScheme(name: scheme.bytes.span) == scheme)
    }
}
