import Bytes
@testable import Inspection

/// Requests with a secret somewhere in them, by its name: nothing that is shown of them has it, and it is among the
/// values that are looked for in what a server says of the request, or these are known not to be all.
///
/// The input is a byte for the name, the secret, what stands before it, and what follows.
enum RedactionTarget: FuzzTarget {
    static let name = "redaction"

    private static let names = [
        "access_token", "password", "%74oken", "user[pass]", "client-secret", "pin", "api_key", "SID",
    ]
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    /// Other text has none so long by coincidence.
    private static let length = 12

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let name = reader.pick(names)
        let secret = (reader.bytes(length) + [UInt8](repeating: 0, count: length)).prefix(length)
            .map { alphabet[Int($0) % alphabet.count] }
        let before = String(decoding: reader.stretch(), as: UTF8.self)
        let after = String(decoding: reader.remainder(), as: UTF8.self)
        guard !has(before, secret), !has(after, secret) else { return }
        let value = String(decoding: secret, as: UTF8.self)
        checkShown(before, name, value, after)
        checkForms(before, name, value, after)
        checkFound(before, name, value, after)
    }

    /// A parameter in its own place.
    private static func checkShown(_ before: String, _ name: String, _ value: String, _ after: String) {
        let secret = Array(value.utf8)
        for query in ["\(before)&\(name)=\(value)&\(after)", "\(before);\(name)=\(value)\(after)"] {
            for shown in [
                Redaction.query(query), Redaction.target("/p?\(query)"), Redaction.target("//a.test/p?\(query)"),
                Redaction.field("Referer", "https://a.test/?\(query)"), Redaction.query(Redaction.query(query)),
            ] {
                require(!has(shown, secret), "\(query) is shown as \(shown)")
            }
        }
        let path = "/\(before)/p;\(name)=\(value)/\(after)"
        require(!has(Redaction.path(path), secret), "\(path) is shown as \(Redaction.path(path))")
        let list = "\(before),\(name)=\(value),\(after)"
        require(!has(Redaction.list(list), secret), "\(list) is shown as \(Redaction.list(list))")
        let authorization = "OAuth \(before), oauth_token=\"\(value)\", \(after)"
        let shown = Redaction.field("Authorization", authorization)
        require(!has(shown, secret), "\(authorization) is shown as \(shown)")
    }

    /// A text of another form in a parameter.
    private static func checkForms(_ before: String, _ name: String, _ value: String, _ after: String) {
        guard !name.contains("%") else { return }
        let secret = Array(value.utf8)
        for text in [
            "\(before)\"\(name)\":\"\(value)\"\(after)", "\(before) \(name): \(value)\n\(after)",
            "\(before){\\\"\(name)\\\": \\\"\(value)\\\"}\(after)", "\(before)<\(name)>\(value)</\(name)>\(after)",
        ] {
            let query = "page=1&a=\(text)"
            require(!has(Redaction.query(query), secret), "\(query) is shown as \(Redaction.query(query))")
            require(Redaction.query(query).utf8.starts(with: "page=1&a=".utf8), "\(query) is cut before")
        }
    }

    private static func checkFound(_ before: String, _ name: String, _ value: String, _ after: String) {
        let secret = Array(value.utf8)
        let form = "\(before)&\(name)=\(value)&\(after)"
        let json = "{\"a\":\(quoted(before)),\"\(name)\":\"\(value)\",\"b\":\(quoted(after))}"
        let part = "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n--x--\r\n"
        for (text, type) in [
            (form, "application/x-www-form-urlencoded"), (json, "application/json"),
            ("{\"c\":\(quoted(json))}", "application/json"), (part, "multipart/form-data; boundary=x"),
        ] where !(name.contains("%") && type != "application/x-www-form-urlencoded") {
            var found = SecretValues()
            found.add(body: text, mediaType: type)
            let isFound = !found.isWhole || found.values.contains { has($0, secret) }
            require(isFound, "of \(text) only \(found.values) is known")
        }
    }

    private static func quoted(_ text: String) -> String { "\"" + text.escaping("\\\"") + "\"" }

    private static func has(_ text: String, _ secret: [UInt8]) -> Bool { Array(text.utf8).contains(secret) }
}
