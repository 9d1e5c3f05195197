import Foundation
import Testing
import TestSupport

@testable import ParaphConfiguration

@Suite("Forms of secrets")
struct SecretFormTests {
    private static func advice(
        _ secret: String,
        environment: [String: String] = [:]
    ) throws(ConfigurationMistakes) -> [String] {
        let yaml = Minimal.yaml.replacing("s3cr3t-consumer", with: secret)
        return try read(yaml, environment: environment).advice.map(\.message)
    }

    @Test(
        "that refer to a secret in a way of others are mistakes",
        arguments: [
            ("'{env: X_SECRET}'", "looks like {env: NAME} or {file: PATH} in quotes"), ("\"{file: x}\"", "in quotes"),
            ("env:X_SECRET", "write {env: NAME}"), ("env://X_SECRET", "write {env: NAME}"),
            ("file:/run/secrets/hunter", "write {file: PATH}"), ("vault:secret/data/hunter#x", "secret store"),
            ("op://hunter/x/password", "secret store"), ("arn:aws:secretsmanager:hunter", "secret store"),
            ("\"%X_SECRET%\"", "a variable of Windows"), ("$(cat /run/hunter)", "a shell command"),
            ("\"{{ hunter }}\"", "a part of a template"), ("${hunter}", "a shell variable"),
        ]
    )
    func references(_ value: String, _ words: String) {
        let found = mistakes(Minimal.yaml.replacing("s3cr3t-consumer", with: value).utf8)
        #expect(found.count == 1)
        #expect(found.first?.contains(words) == true, "\(found)")
        #expect(!found.joined().contains("hunter"))
    }

    @Test(
        "that come near to a reference are told what is missing",
        arguments: [
            ("{env:X_SECRET}", "; the blank is missing after the colon"),
            ("{env X_SECRET}", "; the colon and a blank are missing after env"),
            ("{ENV: X_SECRET}", "; env is written in small letters"),
            ("{evn: X_SECRET}", "; did you mean env?"), ("{fil: hunter}", "; did you mean file?"),
            ("{value: hunter}", "; text stands for itself, without a key"),
            ("{env: A, file: B}", "; keep one of env and file"), ("{{ hunter }}", "; one pair of braces is enough"),
            ("{hunter}", ""),
        ]
    )
    func slips(_ value: String, _ words: String) {
        let found = mistakes(Minimal.yaml.replacing("s3cr3t-consumer", with: value).utf8)
        #expect(found == ["6:24: apis.t.oauth1.consumer_secret must be text, {env: NAME} or {file: PATH}\(words)"])
    }

    @Test("of paths that nothing replaces are told so", arguments: ["~/x.txt", "$HOME/x.txt"])
    func unexpandedPaths(_ path: String) {
        let found = mistakes(Minimal.yaml.replacing("s3cr3t-consumer", with: "{file: \(path)}").utf8)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("; ~ and $NAME are not replaced in paths") == true, "\(found)")
    }

    @Test(
        "that are probably no secret are warned of",
        arguments: [
            ("/run/secrets/x", "looks like a path"), ("/dev/null", "looks like a path"),
            ("/etc/paraph/x", "looks like a path"),
            ("YOUR_CONSUMER_SECRET", "looks like a placeholder"), ("your-token", "looks like a placeholder"),
            ("<consumer-secret>", "looks like a placeholder"), ("…", "looks like a placeholder"),
            ("JP3Pyv…", "looks like a placeholder"), ("xxxx", "looks like a placeholder"),
            ("\"****\"", "looks like a placeholder"),
            ("changeme", "looks like a placeholder"), ("“s3cr3t”", "stands between typographic quotation marks"),
            ("s3cr3t #pw", "ends before the # behind it"), ("|\n        s3cr3t\n", "ends with a line break"),
            ("\"s3cr3t \"", "has a blank at an end; take it away if"), ("' s3cr3t'", "has a blank at an end"),
            ("\"s3cr3t\u{A0}\"", "holds a no-break space (U+00A0), as"), ("\"\\_s3cr3t\"", "holds a no-break space"),
        ]
    )
    func warnings(_ value: String, _ words: String) throws {
        let found = try Self.advice(value)
        #expect(found.count == 1)
        #expect(found.first?.contains(words) == true, "\(found)")
        #expect(!found.joined().contains("s3cr3t"))
    }

    private static let elsewhereOdd: [(String, String)] = [
        ("\"s3cr3t\"", "has quotes around it"), ("'s3cr3t'", "has quotes around it"),
        ("s3cr3t ", "has a blank at an end"),
        ("s3c\u{A0}r3t", "holds a no-break space (U+00A0) in the"),
        ("\u{200B}s3cr3t", "holds an invisible zero-width space"),
        ("s3cr3t \n\n", "ends with a line break"),
        ("KEY=s3cr3t\nB=c\n", "has several lines"),
        ("X_SECRET=s3cr3t", "begins with a name and = or :"),
        ("export KEY=s3cr3t", "begins with a name and = or :"),
        ("consumer_secret=s3cr3t", "begins with a name and = or :"),
        ("CONSUMER_SECRET = s3cr3t", "begins with a name and = or :"),
        ("X_TOKEN_2: s3cr3t", "begins with a name and = or :"),
        ("a\u{1}b", "holds a control character"),
        ("\u{FEFF}s3cr3t", "begins with a byte order mark"),
    ]

    @Test(
        "of a variable or a file are warned of where something else came along",
        arguments: elsewhereOdd
    )
    func elsewhere(_ text: String, _ words: String) throws {
        let directory = try TestDirectory()
        try directory.write(text + "\n", to: "secret.txt")
        let found = [
            try Self.advice("{env: X_SECRET}", environment: ["X_SECRET": text]),
            try Self.advice("{file: \(directory("secret.txt"))}"),
        ]
        for found in found {
            #expect(found.count == 1)
            #expect(found.first?.contains(words) == true, "\(found)")
            #expect(!found.joined().contains("s3cr3t"))
        }
    }

    @Test("of a file in another encoding, or of none, are warned of")
    func encodings() {
        #expect(SecretForm.oddity([0xff, 0xfe, 0x61, 0], from: .file)?.contains("is UTF-16") == true)
        #expect(SecretForm.oddity([0x61, 0xe4], from: .file)?.contains("is not UTF-8") == true)
    }

    @Test("that are made at random are never warned of")
    func random() {
        var generator = SeededGenerator(seed: 23)
        for length in 1...48 {
            for _ in 0..<200 {
                let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let base64 = Data(bytes).base64EncodedString()
                let hexadecimal = bytes.map { String($0, radix: 16) }.joined()
                for text in [base64, base64.replacing("/", with: "_").replacing("+", with: "-"), hexadecimal] {
                    let oddity = SecretForm.oddity(Array(text.utf8), from: .file)
                    #expect(oddity == nil && SecretForm.reference(text) == nil && !SecretForm.isPath(text), "\(text)")
                }
            }
        }
    }

    @Test(
        "that people choose are good",
        arguments: [
            "correct horse battery", "a#b", "\"s3cr3t #pw\"", "s3cr3t # as it is", "pass%word%", "a:b", "op:x", "{x}",
            "my-dog-rex",
            "'env: x'", "//", "/",
        ]
    )
    func chosen(_ value: String) throws {
        let isText = value != "{x}"
        #expect(try Self.advice(isText ? value : "'\(value)'") == [])
    }
}
