import Bytes
import OAuthSigning

/// The reason why an `oauth_body_hash` is not that of the body.
struct BodyHashCause: Sendable {
    /// The number of bytes beyond which a body is not written otherwise: it may be a stranger's.
    private static let limit = 1 << 18
    private let words: [String]

    var finding: ComparisonFinding {
        ComparisonFinding(
            cause: .bodyHash,
            certainty: .seen,
            sentence:
                "The other side's oauth_body_hash is not the right one: \(words.joined(separator: "; ")). It must be the "
                + "Base64 of the hash of the body as it is sent."
        )
    }

    /// - Parameters:
    ///   - hash: The one that was sent.
    ///   - others: Other parts of the request that may have been hashed.
    ///   - keys: The keys that may have been used for an HMAC.
    /// - Returns: Nil when no cause is found.
    init?(
        of hash: String,
        body: [UInt8],
        contentType: [UInt8]?,
        method: SignatureMethod,
        others: [(words: String, bytes: [UInt8])] = [],
        keys: [[UInt8]] = []
    ) {
        let right = method.hashAlgorithm.function
        let functions = [right] + DigestFunction.allCases.filter { $0 != right }
        let bodies =
            [("", body)] + (body.count > Self.limit ? [] : OtherBody.all(body, contentType: contentType) + others)
        for (form, written) in Self.readings(of: hash.bytes) {
            for function in functions where keys.contains(where: { function.code(key: $0, text: body) == written }) {
                words = form + ["it is an HMAC-\(function.name) of the body with a secret as its key, and no hash"]
                return
            }
            for (what, bytes) in bodies {
                // What was not hashed at all.
                if written == bytes, !bytes.isEmpty {
                    words = ["it is the body itself\(what.isEmpty ? "" : " (\(what))"), not hashed"] + form
                    return
                }
                for function in functions {
                    let digest = function.hash(bytes)
                    let isCut = written.count >= 10 && written.count < digest.count && digest.starts(with: written)
                    guard written == digest || isCut else { continue }
                    var words = form
                    if !what.isEmpty { words.append("it is the hash of \(what)") }
                    if function != right {
                        words.append("it is a hash by \(function.name), and the method asks for \(right.name)")
                    }
                    if isCut { words.append("it is cut to its first \(written.count) bytes") }
                    self.words = words
                    return
                }
            }
        }
        return nil
    }

    /// The bytes that the text of a hash may stand for, and what is wrong with the writing.
    private static func readings(of hash: [UInt8]) -> [(words: [String], bytes: [UInt8])] {
        var readings: [(words: [String], bytes: [UInt8])] = []
        func read(_ text: [UInt8], _ before: [String]) {
            func add(_ words: [String], _ bytes: [UInt8]?) {
                if let bytes, !bytes.isEmpty { readings.append((before + words, bytes)) }
            }
            let plain = Base64.respell(text, in: .standard)
            let padded = plain.filter { $0 != UInt8(ascii: "=") }
            let base64 = padded + repeatElement(UInt8(ascii: "="), count: (4 - padded.count % 4) % 4)
            let decoded = Base64.decode(base64.span, allowsSpareBits: true)
            var words = plain == text ? [] : ["it is in the Base64 for URLs (with - and _), not the plain one"]
            if base64 != plain { words.append("the = at its end (padding) is missing, or there is one too many") }
            add(["it is in hexadecimal digits, not Base64"], Hexadecimal.decode(text))
            if let decoded {
                add(["it is the Base64 of hexadecimal digits, not of bytes"] + words, Hexadecimal.decode(decoded))
                add(["it was encoded as Base64 twice"] + words, Base64.decode(decoded.span, allowsSpareBits: true))
                add(words, decoded)
            }
        }
        read(hash, [])
        let trimmed = hash.changed { $0.trimmed }
        if trimmed != hash { read(trimmed, ["white space (a line end or a blank) stands around it"]) }
        let spaced = hash.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
        if spaced != hash { read(spaced, ["each + in it became a blank (space)"]) }
        var encoded = hash
        for round in 1...2 {
            let decoded = PercentEncoding.decodeLeniently(encoded.span)
            if decoded == encoded { break }
            read(decoded, ["it was percent-encoded once too often\(round == 1 ? "" : ", and once more") (twice)"])
            encoded = decoded
        }
        for marks in [("\"", "\""), ("'", "'"), ("b'", "'")]
        where hash.text.hasPrefix(marks.0) && hash.text.hasSuffix(marks.1) {
            read(hash.dropFirst(marks.0.utf8.count).dropLast(), ["it is in quotation marks"])
        }
        for prefix in [
            "sha1=", "SHA1=", "sha256=", "SHA256=", "SHA-256=", "sha-256=", "SHA-1=", "sha1-", "sha256-", "sha512-",
            "SHA-256:", "sha256:", "sha1:",
        ]
        where hash.text.hasPrefix(prefix) {
            read(Array(hash.dropFirst(prefix.utf8.count)), ["it begins with \(prefix)"])
        }
        return readings
    }
}
