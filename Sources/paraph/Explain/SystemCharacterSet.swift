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

    private static let utf8 = "UTF-8"

    /// All of them, for a comparison.
    static let compared = allCases.map { set in
        OtherCharacterSet(name: set.name) { text in
            Self.convert(Array(text.utf8), from: utf8, to: set.rawValue)
        } decode: { bytes in
            Self.convert(bytes, from: set.rawValue, to: utf8).flatMap { String(validating: $0, as: UTF8.self) }
        }
    }

    private var name: String {
        switch self {
        case .shiftJIS: "Shift_JIS"
        case .windows31J: "Windows-31J (Shift_JIS)"
        case .big5: "Big5"
        case .eucJP, .iso2022JP, .gbk, .gb18030, .eucKR: rawValue
        }
    }

    /// Returns nil when a character is not in both sets, or the system does not have them.
    private static func convert(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8]? {
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
                // Then, nil: back to where it began, for sets with shifts.
                guard iconv(converter, &start, &left, &end, &room) == 0,
                    iconv(converter, nil, nil, &end, &room) == 0
                else { return nil }
                return room
            }
        }
        return room.map { room in output.dropLast(room).map { UInt8(bitPattern: $0) } }
    }
}
