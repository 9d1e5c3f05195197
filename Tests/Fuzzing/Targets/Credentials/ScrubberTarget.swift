import FoundationEssentials
import OAuthSigning

@testable import Credentials

/// Words of providers with a secret in them in some form: nothing of the secret is left.
///
/// The input is a byte for the form of the secret, the secret, what stands before it, and what follows.
enum ScrubberTarget: FuzzTarget {
    static let name = "scrubber"

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    /// The number of characters of a secret that count as a part of it.
    private static let part = 10

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        let raw = reader.stretch()
        let before = reader.stretch().prefix(60)
        let after = reader.bytes(100)
        // Letters and digits have one form in all that is printed.
        let secret = raw.prefix(40).map { alphabet[Int($0) % alphabet.count] }
        let scrubber = Scrubber(secrets: [Secret(bytes: secret), Secret(bytes: raw.prefix(40))])
        let words = scrubber.words(of: before + spelled(secret, choice) + after)
        require(words.unicodeScalars.count <= 201, "\(words.unicodeScalars.count) characters")
        guard secret.count >= part else { return }
        let shown = Array(words.replacing("<secret>", with: "\n").utf8)
        for start in 0...(secret.count - part) {
            let piece = secret[start..<start + part]
            require(!contains(shown, piece), "\(String(decoding: piece, as: UTF8.self)) is left in \(words)")
        }
    }

    private static func spelled(_ secret: [UInt8], _ choice: UInt8) -> [UInt8] {
        switch choice & 7 {
        case 0, 1: secret
        case 2: secret.flatMap { Array("%\(hexadecimal($0))".utf8) }
        case 3: secret.flatMap { Array("%25\(hexadecimal($0))".utf8) }
        case 4: secret.flatMap { Array("\\u00\(hexadecimal($0))".utf8) }
        case 5: secret.flatMap { Array("&#\($0);".utf8) }
        case 6: Array(Data(secret).base64EncodedData())
        default: Array(secret.map { [$0] }.joined(separator: [UInt8(ascii: "-")]))
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func contains(_ bytes: [UInt8], _ piece: ArraySlice<UInt8>) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: piece) }
    }
}
