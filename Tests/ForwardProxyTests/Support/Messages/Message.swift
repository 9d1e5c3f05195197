/// An HTTP/1.1 message as it was received. Bytes are shown as Latin-1 characters, one for each.
struct Message: Sendable {
    /// Start line and field lines.
    var lines: [String]
    /// The body without its framing.
    var body: String
    /// The trailer lines of a chunked body.
    var trailers: [String] = []

    var startLine: String { lines[0] }
    var status: Int { Int(startLine.split(separator: " ")[1]) ?? 0 }
    var target: String { String(startLine.split(separator: " ")[1]) }
    var method: String { String(startLine.split(separator: " ")[0]) }

    func values(_ name: String) -> [String] {
        lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
                return nil
            }
            return line[line.index(after: colon)...].trimmingSpaces
        }
    }

    /// The value of the only field with that name.
    subscript(name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }

    /// The error of a Proxy-Status field.
    var proxyError: String? {
        guard let value = self["Proxy-Status"], let item = try? StructuredItem(value) else { return nil }
        guard case .token(let token) = item.parameters["error"] else { return nil }
        return token
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
