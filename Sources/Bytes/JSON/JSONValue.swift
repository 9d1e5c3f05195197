/// A JSON document (RFC 8259) as a whole: members keep their order, a name may occur more than once, and numbers are as
/// written.
package enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    // Whoever goes through a value calls itself for each level.
    private static let deepest = 32

    /// Reads a document, which may have been put together by hand; nil unless the bytes are one, nested no deeper than
    /// 32 levels. Its strings may have control characters and escapes that are none, and what is not Unicode in them
    /// becomes U+FFFD.
    package init?(_ bytes: [UInt8]) {
        self.init(bytes, isStrict: false)
    }

    /// Reads a document as RFC 8259 has it: nil also where a string has control characters or escapes that are none, or
    /// is not Unicode.
    package init?(strict bytes: [UInt8]) {
        self.init(bytes, isStrict: true)
    }

    private init?(_ bytes: [UInt8], isStrict: Bool) {
        var reader = JSONReader(bytes, deepest: Self.deepest, allowsMalformedStrings: !isStrict)
        var builder = JSONValueBuilder()
        do throws(JSONReader.Fault) {
            while let event = try reader.next() {
                if isStrict, !event.isUnicode { return nil }
                builder.add(event)
            }
        } catch {
            return nil
        }
        guard let value = builder.value else { return nil }
        self = value
    }
}

extension JSONReader.Event {
    fileprivate var isUnicode: Bool {
        switch self {
        case .name(let string), .string(let string): string.form == .text
        default: true
        }
    }
}
