/// Reads a JSON document (RFC 8259) event by event, and tells where bytes cease to be one, or that they end before it
/// does. It leaves to its caller whether they are UTF-8.
package struct JSONReader {
    package enum Event: Equatable, Sendable {
        case objectStart
        case objectEnd
        case arrayStart
        case arrayEnd
        /// The name of the member whose value comes next.
        case name(JSONString.Decoded)
        case string(JSONString.Decoded)
        /// A number, as written.
        case number(String)
        case boolean(Bool)
        case null
    }

    package enum Fault: Error, Equatable {
        /// The byte at this position continues no document, or one that is nested deeper than is read.
        case malformed(at: Int)
        /// The bytes are the beginning of a document.
        case truncated
    }

    /// The token that may come next.
    private enum Expected {
        case value
        /// A value, or the end of an array without elements.
        case firstElement
        case name
        /// A name, or the end of an object without members.
        case firstName
        /// A comma, or the end of the array.
        case nextElement
        /// A comma, or the end of the object.
        case nextMember
        case end
    }

    private let deepest: Int
    private let allowsMalformedStrings: Bool
    private var scanner: JSONScanner
    private var expected = Expected.value
    /// The token after a value of each array and object that is open, the outermost first.
    private var open: [Expected] = []

    /// The position of the token that the last event was read from; a name's colon is none.
    package var position: Int { scanner.tokenPosition }

    /// - Parameters:
    ///   - deepest: The number of arrays and objects that may be open at once.
    ///   - allowsMalformedStrings: Whether strings may have control characters and escapes that are none.
    package init(_ bytes: [UInt8], deepest: Int = 64, allowsMalformedStrings: Bool = false) {
        scanner = JSONScanner(bytes)
        self.deepest = deepest
        self.allowsMalformedStrings = allowsMalformedStrings
    }

    /// Returns the next event; nil at the end of the document, which is the end of the bytes.
    package mutating func next() throws(Fault) -> Event? {
        while true {
            guard let token = scanner.next() else {
                guard expected == .end else { throw .truncated }
                return nil
            }
            switch (expected, token) {
            case (.nextMember, .comma):
                expected = .name
            case (.nextElement, .comma):
                expected = .value
            case (.nextMember, .objectEnd), (.firstName, .objectEnd):
                leave()
                return .objectEnd
            case (.nextElement, .arrayEnd), (.firstElement, .arrayEnd):
                leave()
                return .arrayEnd
            case (.name, .string(let content, isClosed: let isClosed)),
                (.firstName, .string(let content, isClosed: let isClosed)):
                return try readName(content, isClosed: isClosed)
            case (.value, _), (.firstElement, _):
                return try readValue(token)
            default:
                throw .malformed(at: scanner.tokenPosition)
            }
        }
    }

    private mutating func readName(_ content: Range<Int>, isClosed: Bool) throws(Fault) -> Event {
        let name = try string(content, isClosed: isClosed)
        guard scanner.takeColon() else {
            if scanner.position == scanner.bytes.count { throw .truncated }
            throw .malformed(at: scanner.position)
        }
        expected = .value
        return .name(name)
    }

    private mutating func readValue(_ token: JSONScanner.Token) throws(Fault) -> Event {
        switch token {
        case .objectStart:
            try enter(first: .firstName, next: .nextMember)
            return .objectStart
        case .arrayStart:
            try enter(first: .firstElement, next: .nextElement)
            return .arrayStart
        case .string(let content, isClosed: let isClosed):
            let text = try string(content, isClosed: isClosed)
            expected = open.last ?? .end
            return .string(text)
        case .word(let range):
            let value = try scalar(range)
            expected = open.last ?? .end
            return value
        case .objectEnd, .arrayEnd, .colon, .comma:
            throw .malformed(at: scanner.tokenPosition)
        }
    }

    private mutating func enter(first: Expected, next: Expected) throws(Fault) {
        guard open.count < deepest else { throw .malformed(at: scanner.tokenPosition) }
        open.append(next)
        expected = first
    }

    private mutating func leave() {
        open.removeLast()
        expected = open.last ?? .end
    }

    private func string(_ range: Range<Int>, isClosed: Bool) throws(Fault) -> JSONString.Decoded {
        let content = scanner.bytes[range]
        guard isClosed else {
            // With a line end in it, it rather lacks its quotation mark.
            if !allowsMalformedStrings, let control = content.firstIndex(where: { $0 < 0x20 }) {
                throw .malformed(at: control)
            }
            throw .truncated
        }
        let decoded = JSONString.decode(content)
        if case .malformed(let position) = decoded.form, !allowsMalformedStrings { throw .malformed(at: position) }
        return decoded
    }

    private func scalar(_ range: Range<Int>) throws(Fault) -> Event {
        // More of it may be missing, and what there is then is another number.
        if range.upperBound == scanner.bytes.count, !open.isEmpty { throw .truncated }
        let word = scanner.bytes[range]
        switch String(decoding: word, as: UTF8.self) {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        case let text:
            guard Self.isNumber(word) else { throw .malformed(at: range.lowerBound) }
            return .number(text)
        }
    }

    /// Returns whether a word is a number (RFC 8259, section 6).
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let integerDigits = removeDigits(of: &rest)
        guard integerDigits == 1 || integerDigits > 1 && !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard removeDigits(of: &rest) > 0 else { return false }
        }
        if rest.first?.lowercasedASCII == UInt8(ascii: "e") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard removeDigits(of: &rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func removeDigits(of text: inout ArraySlice<UInt8>) -> Int {
        let digits = text.prefix(while: \.isDigit).count
        text = text.dropFirst(digits)
        return digits
    }
}
