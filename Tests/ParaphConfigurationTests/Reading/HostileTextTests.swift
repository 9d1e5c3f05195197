import ParaphConfiguration
import Testing
import TestSupport

@Suite("Hostile text")
struct HostileTextTests {
    @Test(
        "that nests deeply is refused at the place",
        arguments: [
            (String(repeating: "[", count: 100_000), "1:33: "),
            (String(repeating: "{", count: 100_000), "1:33: "),
            (String(repeating: "{a: ", count: 100_000), "1:129: "),
            (String(repeating: "- ", count: 100_000) + "a", "1:65: "),
            (String(repeating: "? ", count: 100_000) + "a", "1:65: "),
            ((0..<1_000).map { String(repeating: " ", count: $0) + "k:\n" }.joined(), "33:33: "),
        ]
    )
    func deep(_ text: String, _ position: String) throws {
        let found = mistakes(text.utf8)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("\(position)this is nested too deeply") == true, "\(found)")
    }

    @Test("does not stand in the file's name as it is")
    func fileName() {
        let mistakes = ConfigurationMistakes(
            file: "a\nb\u{1B}[2J",
            mistakes: [Mistake(at: SourcePosition(line: 1, column: 2), "wrong")]
        )
        #expect(mistakes.lines == [#"a\u{a}b\u{1b}[2J:1:2: wrong"#])
    }

    @Test(
        "with anchors or aliases is refused",
        arguments: [
            "a: &x [1]", "- &x 1", "&x a: b", "{a: &x b}", "[&x a]", "[a, &x b]", "{\"a\":&x b}", "{'a':*x}",
            "a: !!seq &x []",
            "--- &x a", "? &x a", "? a\n: &x b", "a: *x", "*x : b", "<<: *x", "a:\n  &x b", "a: 'it''s'\nb: &x c",
            "a: \"\\\"\"\nb: &x c",
            "a: it's\nb: &x c\nd: it's", "a: |\n  text\nb: &x c", "- a: |1\n   text\n  b: &x c", "# 'comment\na: &x b",
            "a: b # '\nc: &x d",
            "a: b\n  c d\ne: &x f", "a: [b, c\n  d]\ne: &x f", "a: >-\n\n  x\n\nb: *x",
            "a: *", "a: &", "a: **x**", "a: &x.y", "a: &x *y", "a: &x\n@",
        ]
    )
    func anchors(_ text: String) {
        let found = mistakes(text.utf8)
        #expect(found.count == 1)
        #expect(found.first?.contains("which is not used here") == true, "\(found)")
    }

    @Test(
        "with anchors or aliases is refused at the sign, whatever follows it",
        arguments: [
            ("*x", "1:1"), ("a: *x", "1:4"), ("a: *.x", "1:4"), ("é:\n  - *x?y", "2:5"), ("a: [b, *x\"y]", "1:8"),
            ("a: *x%y: z", "1:4"), ("&x", "1:1"), ("a: &x@y", "1:4"), ("a: &x:y", "1:4"), ("a: &x y: z", "1:4"),
            ("a:\n  - &x@y", "2:5"), ("- {b: 'c', &x\"y}", "1:12"), ("a: &x\n  b: c", "1:4"),
        ]
    )
    func anchorPlaces(_ text: String, _ place: String) {
        let found = mistakes(text.utf8)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("\(place): a value that starts with ") == true, "\(found)")
    }

    @Test(
        "has nothing to do with a star or an ampersand inside a value",
        arguments: [
            "\"*x\"", "'&x'", "a *b &c", "a&b", "\"a\\\" &b\"", "'it''s &b'", "|\n        *x &y\n        &z",
            ">-\n        &x\n",
            "a\n        &b", "a # &b *c", "\"a\n        &b\"",
        ]
    )
    func innocent(_ value: String) throws {
        let yaml = Minimal.withOAuth1("realm: x").replacing("realm: x", with: "consumer_secret: \(value)")
            .replacing("      consumer_secret: s3cr3t-consumer\n", with: "")
        #expect(mistakes(yaml.utf8) == [])
    }

    @Test("that is large is refused before it is parsed, whatever is in it")
    func large() throws {
        let directory = try TestDirectory()
        let path = try directory.write(String(repeating: "a: b\n", count: 1_000_000), to: "large.yaml")
        do {
            _ = try Configuration.load(path: path, environment: [:])
            Issue.record("taken for good")
        } catch {
            #expect(
                error.mistakes == [
                    Mistake(
                        at: SourcePosition(line: 1, column: 1),
                        "the file is larger than 4MiB, which is no configuration file"
                    )
                ]
            )
        }
    }

    @Test("without end is not read without end")
    func endless() {
        #expect(throws: ConfigurationMistakes.self) { try Configuration.load(path: "/dev/zero", environment: [:]) }
        let found = mistakes(Minimal.yaml.replacing("s3cr3t-consumer", with: "{file: /dev/zero}").utf8)
        #expect(
            found == ["6:24: apis.t.oauth1.consumer_secret needs the file \"/dev/zero\", which is larger than 1MiB"]
        )
    }

    @Test("with a byte order mark, or lines ended by CR LF, is read like any other")
    func forms() {
        #expect(mistakes([0xef, 0xbb, 0xbf] + Array(Minimal.yaml.utf8)) == [])
        #expect(mistakes(Minimal.yaml.replacing("\n", with: "\r\n").utf8) == [])
        let broken = Minimal.yaml.replacing("hosts", with: "hots")
        #expect(mistakes(broken.replacing("\n", with: "\r\n").utf8) == mistakes(broken.utf8))
    }

    @Test(
        "with line breaks that editors do not show is refused at the first of them",
        arguments: [
            ("\u{85}", "U+0085, \\N"), ("\u{2028}", "U+2028, \\L"), ("\u{2029}", "U+2029, \\P"),
        ]
    )
    func invisibleLineBreaks(_ lineBreak: String, _ name: String) {
        // Without being looked for, the bracket would be told of as in line 4.
        #expect(
            mistakes("apis: {\n  é\(lineBreak)\(lineBreak)a: [".utf8) == [
                "2:4: the file has an invisible line break here (\(name) in double quotes); take it out"
            ]
        )
        #expect(mistakes(Minimal.yaml.replacing("s3cr3t-consumer", with: "\"\\N\\L\\P\"").utf8) == [])
    }

    @Test("that ends without a line break has its mistakes in its last line", arguments: ["admin:\n!", "a: [\n  b"])
    func lastLine(_ text: String) {
        let found = mistakes(text.utf8)
        #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("1:") || $0.hasPrefix("2:") }, "\(found)")
    }

    @Test("with a carriage return that no line feed follows is refused", arguments: ["a: b\rc: [\r", "a: b\r"])
    func loneCarriageReturns(_ text: String) {
        #expect(
            mistakes(text.utf8) == [
                "1:5: the file has a carriage return without a line feed here; end lines with LF or CR LF"
            ]
        )
    }

    @Test("with control characters in a name has none in a message")
    func controlCharacters() {
        let yaml = Minimal.withOAuth1(#""consumer_key\e[":"#)
        let found = mistakes(yaml.utf8)
        #expect(found.contains { $0.contains(#"unknown key "consumer_key\u{1b}["#) }, "\(found)")
        #expect(found.joined().utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test("in any prefix of a good file is read or refused, never worse")
    func prefixes() {
        let bytes = Array(Minimal.yaml.utf8)
        for length in bytes.indices {
            let found = mistakes(bytes[..<length])
            #expect(found.allSatisfy { !$0.isEmpty })
        }
    }
}
