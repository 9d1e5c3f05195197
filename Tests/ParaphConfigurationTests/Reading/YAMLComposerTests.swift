import Testing

@testable import ParaphConfiguration

@Suite("The YAML composer")
struct YAMLComposerTests {
    @Test("gives each node with its line and column, and scalars as they are written")
    func nodes() throws {
        let text = "a: 012\n'b': [~, \"x\\ty\", !!str 1, !!int 2]\n\"é\" : |\n  one\n  two\n"
        let root = try #require(try YAMLComposer.compose(Array(text.utf8)))
        #expect(
            outline(root) == """
                1:1 mapping
                1:1 a
                1:4 012
                2:1 "b"
                2:6 sequence
                2:7 ~
                2:10 "x\ty"
                2:18 1
                2:27 tagged 2
                3:1 "é"
                3:7 "one\ntwo\n"

                """
        )
    }

    @Test("finds nothing in what has only comments", arguments: ["", "# one\n", "\n\n"])
    func nothing(_ text: String) throws {
        let root = try YAMLComposer.compose(Array(text.utf8))
        #expect(root.map(outline) == nil)
    }

    @Test("never follows an alias, nor goes deeper than it has stack for")
    func bounds() {
        #expect(throws: YAMLProblem.self) { try YAMLComposer.compose(Array("a: &x [1]\nb: *x".utf8)) }
        let deep = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
        #expect(throws: YAMLProblem.self) { try YAMLComposer.compose(Array(deep.utf8)) }
    }

    @Test("keeps a key that is written again, however it is written, so that all else is read too")
    func repeatedKeys() {
        let yaml = Minimal.withAPI("\"h\\x6fsts\": [b.example.com]\nhost: x")
        #expect(
            mistakes(yaml.utf8) == [
                "9:5: this key is written already in line 3",
                "10:5: unknown key \"host\" in apis.t; did you mean hosts?",
            ]
        )
    }

    @Test("drops a byte order mark from where files were put together")
    func byteOrderMark() {
        #expect(mistakes(Minimal.yaml.replacing("consumer_key: key", with: "\u{feff}consumer_key: key").utf8) == [])
    }

    private func outline(_ node: YAMLNode) -> String {
        let place = "\(node.position.line):\(node.position.column) "
        switch node.content {
        case .scalar(let scalar):
            let text = scalar.isPlain ? scalar.text : "\"\(scalar.text)\""
            return place + (scalar.hasForeignTag ? "tagged " : "") + text + "\n"
        case .sequence(let items):
            return place + "sequence\n" + items.map(outline).joined()
        case .mapping(let entries):
            return place + "mapping\n" + entries.map { outline($0.key) + outline($0.value) }.joined()
        }
    }
}
