/// A character set of one byte a character, whose first half is ASCII.
struct CodePage: Sendable {
    let name: String
    /// The upper half; U+FFFD where there is no character.
    private let upper: [Unicode.Scalar]
    private let bytes: [Unicode.Scalar: UInt8]

    private init(_ name: String, _ upper: [Unicode.Scalar]) {
        self.name = name
        self.upper = upper
        bytes = Dictionary(zip(upper, 128...255)) { first, _ in first }
    }

    /// - Parameter upper: One line for each 64 characters.
    init(_ name: String, _ upper: String) {
        self.init(name, Array(upper.unicodeScalars))
    }

    /// The bytes of a text; nil when it has a character that is not in the set.
    func encode(_ text: String) -> [UInt8]? {
        let encoded = text.unicodeScalars.map { $0.isASCII ? UInt8($0.value) : bytes[$0] }
        return encoded.contains(nil) ? nil : encoded.compactMap(\.self)
    }

    /// The text of bytes; one that stands for no character is a control character, as browsers have it, or another.
    func decode(_ bytes: [UInt8], undefined: Unicode.Scalar? = nil) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let scalar = byte < 128 ? Unicode.Scalar(byte) : upper[Int(byte) - 128]
            text.append(scalar == "\u{FFFD}" ? undefined ?? Unicode.Scalar(byte) : scalar)
        }
        return String(text)
    }

    static let latin1 = CodePage("ISO-8859-1 (Latin-1)", (128...255).map { Unicode.Scalar(UInt8($0)) })

    /// The likelier ones first.
    static let all = [
        latin1, windows1252, latin9, windows1250, windows1251, koi8R, latin2, cyrillic, greek, turkish, macRoman,
        codePage437, codePage850, codePage866,
    ]

    private static let windows1252 = CodePage(
        "Windows-1252",
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ"
            + "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿"
            + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß"
            + "àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"
    )
    private static let latin9 = CodePage(
        "ISO-8859-15",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8A}\u{8B}\u{8C}\u{8D}\u{8E}\u{8F}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9A}\u{9B}\u{9C}\u{9D}\u{9E}\u{9F}"
            + "\u{A0}¡¢£€¥Š§š©ª«¬\u{AD}®¯°±²³Žµ¶·ž¹º»ŒœŸ¿"
            + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß"
            + "àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"
    )
    private static let windows1250 = CodePage(
        "Windows-1250",
        "€\u{FFFD}‚\u{FFFD}„…†‡\u{FFFD}‰Š‹ŚŤŽŹ\u{FFFD}‘’“”•–—\u{FFFD}™š›śťžź"
            + "\u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż"
            + "ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß"
            + "ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙"
    )
    private static let windows1251 = CodePage(
        "Windows-1251",
        "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{FFFD}™љ›њќћџ"
            + "\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї"
            + "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"
            + "абвгдежзийклмнопрстуфхцчшщъыьэюя"
    )
    private static let koi8R = CodePage(
        "KOI8-R",
        "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷"
            + "═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©"
            + "юабцдефгхийклмнопярстужвьызшэщчъ"
            + "ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ"
    )
    private static let latin2 = CodePage(
        "ISO-8859-2",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8A}\u{8B}\u{8C}\u{8D}\u{8E}\u{8F}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9A}\u{9B}\u{9C}\u{9D}\u{9E}\u{9F}"
            + "\u{A0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{AD}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žż"
            + "ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß"
            + "ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙"
    )
    private static let cyrillic = CodePage(
        "ISO-8859-5",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8A}\u{8B}\u{8C}\u{8D}\u{8E}\u{8F}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9A}\u{9B}\u{9C}\u{9D}\u{9E}\u{9F}"
            + "\u{A0}ЁЂЃЄЅІЇЈЉЊЋЌ\u{AD}ЎЏАБВГДЕЖЗИЙКЛМНОП"
            + "РСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп"
            + "рстуфхцчшщъыьэюя№ёђѓєѕіїјљњћќ§ўџ"
    )
    private static let greek = CodePage(
        "Windows-1253",
        "€\u{FFFD}‚ƒ„…†‡\u{FFFD}‰\u{FFFD}‹\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}‘’“”•–—\u{FFFD}™\u{FFFD}›\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"
            + "\u{A0}΅Ά£¤¥¦§¨©\u{FFFD}«¬\u{AD}®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏ"
            + "ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ\u{FFFD}ΣΤΥΦΧΨΩΪΫάέήί"
            + "ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ\u{FFFD}"
    )
    private static let turkish = CodePage(
        "Windows-1254",
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}\u{FFFD}Ÿ"
            + "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿"
            + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß"
            + "àáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ"
    )
    private static let macRoman = CodePage(
        "Mac OS Roman",
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü"
            + "†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø"
            + "¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ"
            + "‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ"
    )
    private static let codePage437 = CodePage(
        "code page 437",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ"
            + "áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
            + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"
    )
    private static let codePage850 = CodePage(
        "code page 850",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ"
            + "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐"
            + "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀"
            + "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}"
    )
    private static let codePage866 = CodePage(
        "code page 866",
        "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"
            + "абвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
            + "рстуфхцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u{A0}"
    )
}
