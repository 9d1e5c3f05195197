/// Walks over YAML text once, just far enough into its grammar to tell where a node starts, and refuses anchors,
/// aliases and deep nesting. It does not judge whether the text is YAML: the parser does.
struct YAMLStructureScan {
    static let maximumFlowDepth = 32
    static let maximumColumn = 128

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var flowDepth = 0
    /// Indicates whether the next token starts a node, rather than going on with a plain scalar.
    private var atNode = true
    /// The column (from 0) that the content of the innermost open block node is indented beyond.
    private var indentation = -1
    /// The column of what may turn out to be a block mapping's key.
    private var keyColumn: Int?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var column: Int { index - lineStart }

    mutating func run() throws(Mistake) {
        while index < bytes.count {
            switch bytes[index] {
            case newline:
                startLine()
            case space, tab, carriageReturn:
                index += 1
            case UInt8(ascii: "#") where isAfterBlank:
                skipToLineEnd()
            case let byte where atNode:
                try startNode(byte)
            case let byte:
                try goOn(byte)
            }
        }
    }

    private mutating func startNode(_ byte: UInt8) throws(Mistake) {
        switch byte {
        case UInt8(ascii: "&") where !isBlank(index + 1), UInt8(ascii: "*") where !isBlank(index + 1):
            throw mistake(
                byte == UInt8(ascii: "*")
                    ? "a value that starts with * stands for an alias in YAML, which is not used here; put it in quotes, "
                        + "like \"*.example.com\""
                    : "a value that starts with & stands for an anchor in YAML, which is not used here; put it in quotes, "
                        + "or write what is meant out in full"
            )
        case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
            guard isBlank(index + 1) || byte == UInt8(ascii: ":") && flowDepth > 0 else { return startScalar() }
            if flowDepth == 0 {
                try checkColumn(column)
                indentation = column
                keyColumn = nil
            }
            index += 1
        case UInt8(ascii: "!"):
            if keyColumn == nil { keyColumn = column }
            while !isBlank(index) { index += 1 }
        case UInt8(ascii: "|") where flowDepth == 0, UInt8(ascii: ">") where flowDepth == 0:
            skipBlockScalar()
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            noteKeyColumn()
            skipQuoted(byte)
            atNode = false
        case UInt8(ascii: "%") where column == 0:
            skipToLineEnd()
        default:
            if isFlowIndicator(byte) { return try flow(byte) }
            startScalar()
        }
    }

    private mutating func startScalar() {
        noteKeyColumn()
        // A document marker is followed by a node on its own line.
        if column == 0, bytes[index...].starts(with: [0x2d, 0x2d, 0x2d]), isBlank(index + 3) {
            keyColumn = nil
            index += 3
            return
        }
        atNode = false
        index += 1
    }

    /// Inside a plain scalar, or after a quoted one or a flow collection.
    private mutating func goOn(_ byte: UInt8) throws(Mistake) {
        if byte == UInt8(ascii: ":"), isBlank(index + 1) || flowDepth > 0 && colonEndsKeyInFlow {
            if flowDepth == 0, let keyColumn {
                try checkColumn(keyColumn)
                indentation = keyColumn
            }
            atNode = true
            index += 1
        } else if flowDepth > 0, isFlowIndicator(byte) {
            try flow(byte)
        } else {
            index += 1
        }
    }

    private mutating func flow(_ byte: UInt8) throws(Mistake) {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            noteKeyColumn()
            flowDepth += 1
            guard flowDepth <= Self.maximumFlowDepth else { throw tooDeep }
            atNode = true
        case UInt8(ascii: ","):
            atNode = true
        default:
            flowDepth = max(flowDepth - 1, 0)
            atNode = false
        }
        index += 1
    }
}

extension YAMLStructureScan {
    private mutating func startLine() {
        index += 1
        line += 1
        lineStart = index
        guard flowDepth == 0 else { return }
        keyColumn = nil
        let next = firstNonBlank(from: index)
        // A line that is indented further than its parent goes on with the plain scalar of the line before.
        let continues = !atNode && next - lineStart > indentation && !isLineEnd(next)
        if isLineEnd(next) { return }
        if !continues {
            atNode = true
            indentation = min(indentation, next - lineStart - 1)
        }
    }

    /// Everything that is indented further than the parent of a `|` or `>` is its content.
    private mutating func skipBlockScalar() {
        skipToLineEnd()
        while index < bytes.count {
            let start = index + 1
            let next = firstNonBlank(from: start)
            guard next >= bytes.count || bytes[next] == newline || next - start > indentation else { break }
            index = start
            line += 1
            lineStart = start
            skipToLineEnd()
        }
        atNode = true
    }

    private mutating func skipQuoted(_ quote: UInt8) {
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == newline {
                line += 1
                lineStart = index
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                if index < bytes.count, bytes[index] != newline { index += 1 }
            } else if byte == quote {
                guard quote == UInt8(ascii: "'"), index < bytes.count, bytes[index] == quote else { return }
                index += 1
            }
        }
    }

    private mutating func skipToLineEnd() {
        while index < bytes.count, bytes[index] != newline { index += 1 }
    }

    private mutating func noteKeyColumn() {
        if flowDepth == 0, keyColumn == nil { keyColumn = column }
    }

    private func firstNonBlank(from start: Int) -> Int {
        var next = start
        while next < bytes.count, bytes[next] == space || bytes[next] == carriageReturn { next += 1 }
        return next
    }

    private func isLineEnd(_ index: Int) -> Bool { index >= bytes.count || bytes[index] == newline }

    private func isBlank(_ index: Int) -> Bool {
        index >= bytes.count || [space, tab, newline, carriageReturn].contains(bytes[index])
    }

    private var isAfterBlank: Bool { index == 0 || isBlank(index - 1) }

    private func isFlowIndicator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        case UInt8(ascii: ","): flowDepth > 0
        default: false
        }
    }

    /// Indicates whether a colon in a flow collection ends a key without a blank after it, as in JSON.
    private var colonEndsKeyInFlow: Bool {
        if index + 1 < bytes.count, isFlowIndicator(bytes[index + 1]) { return true }
        return "\"']}".utf8.contains(bytes[index - 1])
    }

    private func checkColumn(_ column: Int) throws(Mistake) {
        guard column <= Self.maximumColumn else { throw tooDeep }
    }

    private var tooDeep: Mistake { mistake("this is nested too deeply; nothing in a configuration file is") }

    private func mistake(_ message: String) -> Mistake {
        let before = String(decoding: bytes[lineStart..<index], as: UTF8.self).unicodeScalars.count
        return Mistake(at: SourcePosition(line: line, column: before + 1), message)
    }
}

private let newline = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
private let space = UInt8(ascii: " ")
private let tab = UInt8(ascii: "\t")
