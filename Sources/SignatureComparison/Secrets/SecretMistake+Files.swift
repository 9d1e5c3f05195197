import Bytes

// What reading a file in another character set, and dumping its bytes, make of a secret; each is tried alone.
extension SecretMistake {
    static let files = misread + dumped

    /// A file in UTF-16, as `>` of PowerShell writes it, that was read as something else.
    private static let misread: [SecretMistake] = {
        let ends = [("\r\n", " and its line end (\\r\\n)"), ("", ""), ("\n", " and its line feed (\\n)")]
        let marks: [([UInt8], String)] = [
            ([0xFF, 0xFE], "with its byte-order mark (FF FE)"), ([], "without a byte-order mark"),
        ]
        return marks.flatMap { mark, markWords -> [SecretMistake] in
            ends.flatMap { end, endWords -> [SecretMistake] in
                let words = "is UTF-16, \(markWords)\(endWords), as > of PowerShell writes it, that was read as"
                let written: @Sendable ([UInt8]) -> [UInt8] = { mark + UTF16Text.littleEndian($0 + end.bytes) }
                return [
                    SecretMistake(.secretCharacterSet, "\(words) ISO-8859-1 (Latin-1)", isRare: true) {
                        CodePage.latin1.decode(written($0)).bytes
                    },
                    SecretMistake(
                        .secretCharacterSet,
                        "\(words) UTF-8, with U+FFFD for what is none",
                        isRare: true
                    ) { written($0).text.bytes },
                ]
            }
        }
    }()

    private static let dumped: [SecretMistake] = [false, true].flatMap { isUppercase -> [SecretMistake] in
        func dump(
            _ words: String,
            start: String = "",
            separator: UInt8? = nil
        ) -> SecretMistake {
            let kind = isUppercase ? "upper-case hexadecimal" : "hexadecimal"
            return SecretMistake(
                .secretHexadecimal,
                "is given in \(kind) digits with \(words); decode them first",
                isRare: true
            ) { start.bytes + Hexadecimal.encode($0, uppercase: isUppercase, separator: separator).bytes }
        }
        return [
            dump("colons between the bytes", separator: UInt8(ascii: ":")),
            dump("blanks between the bytes", separator: UInt8(ascii: " ")),
            dump("0x in front of them", start: "0x"),
        ]
    }
}
