import Glibc
import SignatureComparison

/// A character set that the C library converts (iconv(3)). Its tables are files of the system, which an image without
/// anything else does not have.
enum SystemCharacterSet: String, CaseIterable {
    // The likelier ones first; of those that have the same bytes for a text the first is named.
    case shiftJIS = "SHIFT_JIS"
    case windows31J = "CP932"
    case eucJP = "EUC-JP"
    case iso2022JP = "ISO-2022-JP"
    case gbk = "GBK"
    case gb18030 = "GB18030"
    case big5 = "BIG5"
    case eucKR = "EUC-KR"
    case windows949 = "CP949"
    case iso2022KR = "ISO-2022-KR"
    case johab = "JOHAB"
    case big5HKSCS = "BIG5-HKSCS"
    case iso8859Part3 = "ISO-8859-3"
    case iso8859Part4 = "ISO-8859-4"
    case iso8859Part6 = "ISO-8859-6"
    case iso8859Part7 = "ISO-8859-7"
    case iso8859Part8 = "ISO-8859-8"
    case iso8859Part10 = "ISO-8859-10"
    case iso8859Part13 = "ISO-8859-13"
    case iso8859Part14 = "ISO-8859-14"
    case windows1258 = "CP1258"
    case ibm737 = "CP737"
    case ibm775 = "CP775"
    case ibm852 = "CP852"
    case ibm855 = "CP855"
    case ibm857 = "CP857"
    case ibm862 = "CP862"
    case ibm864 = "CP864"
    case ibm869 = "CP869"
    case koi8U = "KOI8-U"
    case macintosh = "MACINTOSH"
    case macCyrillic = "MAC-CYRILLIC"
    case macCentralEurope = "MAC-CENTRALEUROPE"
    case ibm037 = "IBM037"
    case utf32LittleEndian = "UTF-32LE"
    case utf32BigEndian = "UTF-32BE"
    case utf32 = "UTF-32"
    case utf16 = "UTF-16"
    case eucJISX0213 = "EUC-JISX0213"

    private static let utf8 = "UTF-8"

    /// All character sets, for a comparison.
    static let compared = allCases.map { set in
        OtherCharacterSet(name: set.name) { text in
            Self.convert(Array(text.utf8), from: utf8, to: set.rawValue)
        } decode: { bytes in
            Self.convert(bytes, from: set.rawValue, to: utf8, replacement: "\u{FFFD}")
                .flatMap { String(validating: $0, as: UTF8.self) }
        }
    }

    private var name: String {
        switch self {
        case .shiftJIS: "Shift_JIS"
        case .windows31J: "Windows-31J (Shift_JIS)"
        case .big5: "Big5"
        case .ibm037: "IBM037 (EBCDIC)"
        default: rawValue
        }
    }

    /// - Parameter replacement: The character that stands for each byte that is of none, as decoders put it there.
    /// - Returns: Nil when a character is not in both sets and none stands for it, or the system does not have them.
    private static func convert(
        _ bytes: [UInt8],
        from source: String,
        to target: String,
        replacement: Character? = nil
    ) -> [UInt8]? {
        // Where it cannot be opened, it is -1.
        guard let converter = iconv_open(target, source), Int(bitPattern: converter) != -1 else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        // No set has more bytes for a byte of another one than this, with what it shifts by.
        var output = [CChar](repeating: 0, count: 8 * input.count + 16)
        let room: Int? = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (start, left) = (input.baseAddress, input.count)
                var (end, room) = (output.baseAddress, output.count)
                while iconv(converter, &start, &left, &end, &room) != 0 {
                    guard left > 0, errno == EILSEQ || errno == EINVAL, let replacement,
                        room >= replacement.utf8.count
                    else { return nil }
                    for byte in replacement.utf8 {
                        end?.pointee = CChar(bitPattern: byte)
                        end = end?.successor()
                    }
                    room -= replacement.utf8.count
                    start = start?.successor()
                    left -= 1
                }
                // Nil: back to where it began, for sets with shifts.
                guard iconv(converter, nil, nil, &end, &room) == 0 else { return nil }
                return room
            }
        }
        return room.map { room in output.dropLast(room).map { UInt8(bitPattern: $0) } }
    }
}
