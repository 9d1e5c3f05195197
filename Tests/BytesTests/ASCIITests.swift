import Bytes
import Testing

@Suite("ASCII")
struct ASCIITests {
    @Test("Each byte has the case, the value and the kind that its character has", arguments: UInt8.min...UInt8.max)
    func kinds(_ byte: UInt8) {
        let character = Character(Unicode.Scalar(byte))
        let isASCII = byte < 0x80
        #expect(byte.lowercasedASCII == (isASCII ? character.lowercased().utf8.first : byte))
        #expect(byte.uppercasedASCII == (isASCII ? character.uppercased().utf8.first : byte))
        #expect(byte.hexadecimalValue.map(Int.init) == (isASCII ? character.hexDigitValue : nil))
        #expect(byte.decimalValue.map(Int.init) == (isASCII ? character.wholeNumberValue : nil))
        #expect(byte.isDigit == (isASCII && character.isWholeNumber))
        #expect(byte.isUppercase == (isASCII && character.isUppercase))
        #expect(byte.isLowercase == (isASCII && character.isLowercase))
        #expect(byte.isLetter == (isASCII && character.isLetter))
        #expect(byte.isLetterOrDigit == (isASCII && (character.isLetter || character.isWholeNumber)))
        #expect(byte.isControl == (isASCII && Unicode.Scalar(byte).properties.generalCategory == .control))
        #expect(byte.isOptionalWhitespace == [" ", "\t"].contains(character))
    }

    @Test("A text has control characters where one of ASCII is in it", arguments: ["\n", "\r\n", "é\u{0}", "\u{7F}"])
    func controls(_ text: String) {
        #expect(text.hasControl)
        #expect(!"caf\u{E9} \u{85}".hasControl)
    }

    @Test("Spans are compared with and without their case")
    func comparison() {
        let text = "Keep-Alive@["
        let span = text.utf8Span.span
        #expect(span.spells("Keep-Alive@[") == true)
        #expect(span.spells("keep-alive@[") == false)
        #expect(span.spells("Keep-Alive@") == false)
        #expect(span.spellsIgnoringCase("keep-alive@[") == true)
        #expect(span.spellsIgnoringCase("keep-alive`{") == false)
        #expect(span.spellsIgnoringCase("keep-alive") == false)
        #expect(span.hasPrefixIgnoringCase("keep-alive") == true)
        #expect(span.hasPrefixIgnoringCase("") == true)
        #expect(span.hasPrefixIgnoringCase("keep-alive@[x") == false)
        let other = "kEEP-aLIVE@["
        #expect(span.equalsIgnoringCase(other.utf8Span.span) == true)
        #expect(span.equals(other.utf8Span.span) == false)
        let signs = "kEEP-aLIVE`{"
        #expect(span.equalsIgnoringCase(signs.utf8Span.span) == false)
    }
}
