import ParaphConfiguration
import Testing

@Suite("Causes of text that is no YAML")
struct SyntaxCauseTests {
    @Test(
        "are told where they are, and not where the parser stumbles",
        arguments: [
            ("a:\n  consumer_key hunter2\n  b: c\n", "2:3: not valid YAML: this line has no colon"),
            ("a:\n  consumer_key:hunter2\n\n  # d\n  b: c\n", "2:3: not valid YAML: this line has no colon"),
            ("a:\n  consumer_key = hunter2\n  b: c\n", "2:3: not valid YAML: this line has no colon"),
            ("log:\n  level: hunter2, format: json\n", "2:25: not valid YAML: there is a second key in this line"),
            ("a:\n  b:\n    c: d\ne:\n    f: g\n  h:\n    i: j\n", "4:1: not valid YAML: this line is indented less"),
            ("a:\n  b:\n    c: d\n   e: f\n", "4:4: not valid YAML: while parsing a block mapping"),
            ("a:\n  - b:\n      c: d\n  e:\n    f: g\n", "4:3: not valid YAML: a list starts in line 2 with a dash"),
            ("a:\n  - b: c\n   d: e\n", "3:4: not valid YAML: "),
            ("a:\n  b: c\n  - d: e\n", "3:3: not valid YAML: this line starts an item of a list"),
            ("a:\n  b: \"hunter2\"x\n", "2:15: not valid YAML: text follows the quote that ends a value"),
            (
                "a:\n  b: c\n \u{A0}d: hunter2\n  e: f\n",
                "3:2: not valid YAML: this line is indented with a "
                    + "no-break space"
            ),
            (
                "a:\n  private_key: -----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n",
                "2:16: not valid YAML: a PEM block has several lines"
            ),
            (
                "a:\n  private_key: |\n-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n",
                "3:1: not valid YAML: a PEM block has several lines"
            ),
        ]
    )
    func places(_ text: String, _ beginning: String) {
        let found = mistakes(text.utf8)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(beginning) == true, "\(found)")
        #expect(!found.joined().contains("hunter2"))
    }

    @Test(
        "that are a value's first character come with the quotes that it needs",
        arguments: [
            (">hunter2", "put a value that starts with > or | in single quotes"),
            ("|hunter2", "put a value that starts with > or | in single quotes"),
            ("\"hunter\\pw\"", "put the value in single quotes"),
            ("- hunter2", "put a value that starts with a dash and a blank in single quotes"),
            ("? hunter2", "put a value that starts with a question mark and a blank in single quotes"),
            (",hunter2", "put a value that starts with a comma or a bracket"),
            ("[::1]:8080", "in quotes, like \"[::1]:8080\""),
            ("@hunter2", "put a value that starts with @, ` or % in quotes"),
            ("*hunter2", "put it in quotes, like \"*.example.com\", or write what is meant out in full"),
            ("!hunter2", "put text that starts with ! in quotes"),
            ("#hunter2", "put one that starts with # in quotes"),
        ]
    )
    func quotes(_ value: String, _ advice: String) {
        let found = mistakes(Minimal.yaml.replacing("s3cr3t-consumer", with: value).utf8)
        #expect(found.count == 1)
        #expect(found.first?.contains(advice) == true, "\(found)")
        #expect(!found.joined().contains("hunter"))
    }

    @Test("that another format is are told")
    func otherFormats() {
        #expect(
            mistakes("[apis.twitter]\nhosts = [\"a.example\"]\n".utf8).first?.contains(
                "Is this TOML or "
                    + "INI?"
            ) == true
        )
        for beginning: [UInt8] in [[0xff, 0xfe, 0x61, 0], [0xfe, 0xff, 0, 0x61]] {
            #expect(mistakes(beginning) == ["1:1: the file is UTF-16; save it as UTF-8 text"])
        }
    }
}
