import Testing

@testable import SignatureComparison

@Suite("Texts of other signers")
struct TextTests {
    @Test(
        "A host is known in both of its forms",
        arguments: [
            ("xn--mnchen-3ya.example", "münchen.example"), ("xn--bcher-kva.example", "bücher.example"),
            ("xn--fsqu00a.xn--0zwm56d", "例子.测试"), ("xn--e1afmkfd.example", "пример.example"),
            ("api.example.com", "api.example.com"),
        ]
    )
    func punycode(_ ascii: String, _ unicode: String) {
        #expect(Punycode.unicode(host: ascii) == unicode)
        #expect(Punycode.ascii(host: unicode) == ascii)
    }

    @Test(
        "A label that is no Punycode stays as it is",
        arguments: ["xn--", "xn--!!!", "xn--999999999", "xn--a-\u{80}"]
    )
    func noPunycode(_ host: String) { #expect(!Punycode.unicode(host: host).isEmpty) }

    @Test("Characters are encoded in code pages, and read from them")
    func codePages() {
        #expect(CodePage.latin1.encode("é") == [0xE9] && CodePage.latin1.encode("€") == nil)
        for page in CodePage.all {
            #expect(page.encode("az~\n") == Array("az~\n".utf8))
            let text = page.decode(Array(UInt8(0xA0)...0xFF))
            #expect(text.unicodeScalars.count == 96)
        }
        #expect(CodePage.all[1].encode("€“") == [0x80, 0x93] && CodePage.all[1].decode([0x80]) == "€")
    }

    @Test("Text is composed and decomposed")
    func normalForms() {
        #expect(Array(NormalForm.decomposed("é").utf8) == Array("e\u{301}".utf8))
        #expect(Array(NormalForm.composed("e\u{301}").utf8) == Array("é".utf8))
    }

    @Test(
        "Numbers are sorted by their value",
        arguments: [("f2", "f10"), ("f[2]", "f[10]"), ("a", "b"), ("f9", "f10a")]
    )
    func natural(_ one: String, _ other: String) {
        let (first, second) = (Collation.natural(Array(one.utf8)), Collation.natural(Array(other.utf8)))
        #expect(first.lexicographicallyPrecedes(second))
    }
}
