/// The lines of an input that comes in pieces, without their ends; those that are blank are left out.
struct BatchLines {
    private var pending: [UInt8] = []

    /// - Returns: The lines that end in what has come by now and were not returned before.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        pending += bytes
        var lines: [[UInt8]] = []
        var rest = pending[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if !Self.isBlank(rest[..<end]) { lines.append(Array(rest[..<end])) }
            rest = rest[(end + 1)...]
        }
        pending = Array(rest)
        return lines
    }

    /// The line that nothing ends but the input; nil when there is none.
    var last: [UInt8]? { Self.isBlank(pending[...]) ? nil : pending }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
    }
}
