/// A response, taken apart.
struct AdminReply {
    let status: Int
    private let fields: [(name: String, value: String)]
    let body: String

    struct Malformed: Error {
        let text: String
    }

    init(_ text: String) throws {
        guard let end = text.firstRange(of: "\r\n\r\n"), text.hasPrefix("HTTP/1.1 "),
            let status = Int(text.dropFirst(9).prefix(3))
        else { throw Malformed(text: text) }
        self.status = status
        fields = text[..<end.lowerBound].split(separator: "\r\n").dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        body = String(text[end.upperBound...])
    }

    subscript(name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }

    var fieldNames: [String] { fields.map(\.name) }
}
