import Bytes

extension SignatureText {
    /// The shapes that digests are sent in.
    enum Form: CaseIterable {
        case hexadecimal
        case partedHexadecimal
        case decimalBytes
        case base32
        case opensslOutput
        case base64OfOpensslOutput
        case base64OfHexadecimal
        case base64OfBase64
        case base64
        case base64WithBlanks
        case base64WithLineEnds
        case base64URL
        case quoted
        case base64OfQuoted

        /// The bytes of the signature, nil when it has not this shape.
        func read(_ text: [UInt8]) -> [UInt8]? {
            switch self {
            case .hexadecimal: Self.hexadecimal(text)
            case .partedHexadecimal: Self.partedHexadecimal(text)
            case .decimalBytes: Self.decimalBytes(text)
            case .base32: Self.base32(text)
            case .opensslOutput: Self.opensslOutput(text)
            case .base64OfOpensslOutput: Self.base64(text).flatMap(Self.opensslOutput)
            case .base64OfHexadecimal: Self.base64(text).flatMap { Self.hexadecimal($0) ?? Self.partedHexadecimal($0) }
            case .base64OfBase64: Self.base64(text).flatMap(Self.inner)
            case .base64: Self.base64(text)
            case .base64WithBlanks: Self.base64(text.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 })
            case .base64WithLineEnds: Self.base64(text.filter { !" \t\r\n".utf8.contains($0) })
            case .base64URL: Base64.decodeAnyForm(text.span)
            case .quoted: Self.unquoted(text).flatMap(Self.base64)
            case .base64OfQuoted: Self.base64(text).flatMap(Self.unquoted).flatMap(Self.base64)
            }
        }

        /// A sentence on what is wrong with it, nil for the right one.
        var sentence: String? {
            switch self {
            case .hexadecimal: "The other side sent its signature in hexadecimal digits; it must be Base64."
            case .partedHexadecimal:
                "The other side sent its signature in hexadecimal digits with marks between them; it must be Base64."
            case .decimalBytes:
                "The other side sent its signature as a list of decimal numbers, one for each of its bytes; it must be Base64."
            case .base32: "The other side sent its signature in Base32; it must be Base64."
            case .opensslOutput:
                "The other side sent what openssl dgst prints, with hexadecimal digits; it must be the Base64 of the bytes (openssl "
                    + "dgst -binary | base64)."
            case .base64OfOpensslOutput:
                "The other side encoded what openssl dgst prints, with hexadecimal digits, in Base64; it must encode the bytes "
                    + "(openssl dgst -binary)."
            case .base64OfHexadecimal:
                "The other side encoded the hexadecimal digits of its signature in Base64; it must encode the bytes."
            case .base64OfBase64: "The other side encoded its signature in Base64 twice."
            case .base64: nil
            case .base64WithBlanks:
                "The other side's signature has a blank (a space) for each +, since it was not percent-encoded: a + is %2B."
            case .base64WithLineEnds:
                "The other side left a line end (or a blank, white space) in the Base64 of its signature; strip what the encoder "
                    + "adds."
            case .base64URL:
                "The other side sent its signature in the URL-safe or unpadded Base64; it must be the plain one, with its padding (=)."
            case .quoted: "The other side sent its signature in quotation marks; they are no part of it."
            case .base64OfQuoted: "The other side encoded its signature in Base64 twice, in quotation marks."
            }
        }

        /// The numbers of digits that hashes have, so that Base64 is never taken for them.
        private static let digitCounts = [32, 40, 56, 64, 96, 128, 256, 512, 768, 1024]

        private static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
            digitCounts.contains(text.count) ? Hexadecimal.decode(text) : nil
        }

        private static func partedHexadecimal(_ text: [UInt8]) -> [UInt8]? {
            let isBuffer = text.starts(with: "<Buffer ".utf8) && text.last == UInt8(ascii: ">")
            let bare = text.starts(with: "0x".utf8) ? text[2...] : isBuffer ? text[8...].dropLast() : text[...]
            let marks = ["-", ":", " ", ""].map(\.utf8)
            for mark in marks {
                let digits = bare.filter { !mark.contains($0) && $0 != UInt8(ascii: "\n") }
                if digits.count < text.count, let bytes = hexadecimal(digits) { return bytes }
            }
            return nil
        }

        /// The bytes that numbers from -128 to 255 stand for, with commas or blanks between them.
        private static func decimalBytes(_ text: [UInt8]) -> [UInt8]? {
            let words = text.split(whereSeparator: { "[](){}, ".utf8.contains($0) })
            guard digitCounts.contains(words.count * 2) || words.count >= 128, words.count * 2 < text.count else {
                return nil
            }
            let bytes = words.compactMap { Int(String(decoding: $0, as: UTF8.self)) }.filter { -128...255 ~= $0 }
            return bytes.count == words.count ? bytes.map { UInt8(truncatingIfNeeded: $0) } : nil
        }

        /// RFC 4648, section 6.
        private static func base32(_ text: [UInt8]) -> [UInt8]? {
            let digits = text.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
            guard digitCounts.contains(digits.count * 5 / 8 * 2) else { return nil }
            var (bytes, bits, count) = ([UInt8](), UInt32(0), UInt32(0))
            for digit in digits {
                guard
                    let value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8.enumerated().first(where: {
                        $0.element == digit
                    })?.offset
                else { return nil }
                bits = bits << 5 | UInt32(value)
                count += 5
                if count >= 8 {
                    count -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                }
            }
            return bytes
        }

        /// The digits behind `(stdin)= ` or before `  -`, as `openssl dgst` and `sha1sum` print them.
        private static func opensslOutput(_ text: [UInt8]) -> [UInt8]? {
            let words = text.split(whereSeparator: { " \t\r\n".utf8.contains($0) }).map { Array($0) }
            guard words.count > 1 || words.first?.count != text.count else { return nil }
            if words.first?.contains(UInt8(ascii: "=")) ?? false, let last = words.last { return hexadecimal(last) }
            return words.last == "-".bytes || words.last == "*-".bytes ? words.first.flatMap(hexadecimal) : nil
        }

        private static func base64(_ text: [UInt8]) -> [UInt8]? {
            Base64.decode(text.span, allowsSpareBits: true)
        }

        /// The bytes of a signature within Base64: as many as a hash has, or an RSA key.
        private static func inner(_ text: [UInt8]) -> [UInt8]? {
            let bytes = base64(text.filter { !"\r\n".utf8.contains($0) })
            return bytes.flatMap { digitCounts.contains($0.count * 2) || $0.count >= 128 ? $0 : nil }
        }

        private static func unquoted(_ text: [UInt8]) -> [UInt8]? {
            let bare = text.starts(with: "b'".utf8) ? text[1...] : text[...]
            guard let mark = bare.first, "\"'".utf8.contains(mark), bare.last == mark, bare.count > 2 else {
                return nil
            }
            return Array(bare.dropFirst().dropLast())
        }
    }
}
