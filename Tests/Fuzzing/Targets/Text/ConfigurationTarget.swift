import FoundationEssentials

@testable import ParaphConfiguration

/// Configuration files: any bytes are a configuration or mistakes, each at a place within the file and in printable
/// characters; and no mistake repeats a secret from where one belongs.
///
/// The input is a byte of choice, and the file; or the text that a secret and the words beside it become.
enum ConfigurationTarget: FuzzTarget {
    static let name = "configuration"

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let marker = "Zq7Zq7Zq7"

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        let rest = reader.remainder()
        if choice & 3 == 0 {
            let lines = 1 + rest.count { $0 == 0x0A }
            for mistake in mistakes(rest) {
                let place = mistake.position
                require(1...lines ~= place.line && 1...(rest.count + 2) ~= place.column, "no such place: \(place)")
                require(!mistake.message.isEmpty, "an empty message")
                let printable = mistake.message.unicodeScalars.allSatisfy {
                    $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value)
                }
                require(printable, "control characters: \(mistake.message.debugDescription)")
            }
        } else {
            checkSecret(rest, choice: choice)
        }
    }

    /// Puts a secret, with any text around it, where a secret belongs, as a quoted scalar.
    private static func checkSecret(_ bytes: [UInt8], choice: UInt8) {
        let text = String(decoding: bytes, as: UTF8.self)
        var scalar = "\""
        for unit in (text + marker).unicodeScalars {
            let digits = String(unit.value, radix: 16)
            scalar += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
        scalar += "\""
        let places = [
            "      consumer_secret: ", "      default: {token: token, token_secret: ", "      consumer_secret: {env: ",
            "      consumer_secret: {file: ", "      consumer_secret: [", "      consumer_secret: {",
        ]
        let place = places[Int(choice >> 2) % places.count]
        let opened = place.filter { $0 == "{" || $0 == "[" }.map { $0 == "{" ? "}" : "]" }.joined()
        let lines = [
            "apis:", "  t:", "    hosts: [api.example.com]", "    oauth1:", "      consumer_key: key",
            place.contains("consumer_secret") ? place + scalar + opened : "      consumer_secret: x",
            "    accounts:",
            place.contains("consumer_secret") ? "      default: {token: t, token_secret: x}" : place + scalar + opened,
        ]
        for mistake in mistakes(Array((lines.joined(separator: "\n") + "\n").utf8)) {
            require(!mistake.message.contains(marker), "a secret is repeated: \(mistake.message)")
        }
    }

    private static func mistakes(_ bytes: [UInt8]) -> [Mistake] {
        do throws(ConfigurationMistakes) {
            _ = try Configuration.read(bytes, file: "paraph.yaml", environment: ["HOME": "/root"], now: now)
            return []
        } catch {
            require(!error.mistakes.isEmpty, "refused without a mistake")
            return error.mistakes
        }
    }
}
