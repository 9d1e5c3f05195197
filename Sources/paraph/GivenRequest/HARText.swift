import Bytes
import FoundationEssentials

/// An HTTP Archive (HAR 1.2), an entry of one, or the request of an entry.
struct HARText {
    private let entries: [Request]

    /// - Throws: ``GivenRequestError/malformed(_:_:)``.
    init(_ bytes: [UInt8]) throws(GivenRequestError) {
        do {
            let document = try JSONDecoder().decode(Document.self, from: Data(bytes))
            entries = document.requests
        } catch {
            throw .malformed(.har, Self.sentence(error, bytes))
        }
    }

    /// The requests: each a method and a URL.
    var list: [String] { entries.map { "\($0.method) \(ShownURL($0.url).text)" } }

    /// - Parameter index: One of ``list``.
    func request(_ index: Int) -> GivenRequest {
        let entry = entries[index]
        // Those of HTTP/2 with a colon are no fields.
        let fields = (entry.headers ?? []).filter { !$0.name.hasPrefix(":") }
        var request = GivenRequest(
            format: .har,
            method: entry.method,
            target: entry.url,
            fields: fields.map { RequestField(name: $0.name, value: $0.value) }
        )
        if let data = entry.postData { addBody(data, entry.bodySize ?? 0, to: &request) }
        let isShortened = request.target.contains("…") || request.fields.contains { $0.value.contains("…") }
        if isShortened { request.notes.append(GivenRequest.noteOnHiddenValues) }
        return request
    }

    private func addBody(_ data: PostData, _ size: Int, to request: inout GivenRequest) {
        if request.fieldValue("Content-Type") == nil, let type = data.mimeType, !type.isEmpty, type != "x-unknown" {
            request.fields.append(RequestField(name: "Content-Type", value: type))
        }
        if let text = data.text, !text.isEmpty {
            let decoded = data.encoding == "base64" ? Base64.decode(text.utf8Span.span, allowsSpareBits: true) : nil
            request.body = decoded ?? Array(text.utf8)
        } else if let parameters = data.params, !parameters.isEmpty, Self.isForm(data.mimeType) {
            let pairs = parameters.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value ?? ""))" }
            request.body = Array(pairs.joined(separator: "&").utf8)
            request.notes.append("The entry has no text of the body, so that this is put together of its params.")
        } else if size > 0 {
            request.missingBody = "The entry has nothing of the body's \(size) bytes: give it with --data-file."
        }
    }

    private static func isForm(_ type: String?) -> Bool {
        type?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
    }

    private static func encoded(_ text: String) -> String {
        String(decoding: PercentEncoding.encode(text.utf8), as: UTF8.self)
    }

    private static func sentence(_ error: any Error, _ bytes: [UInt8]) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "there is no \(place(context.codingPath + [key])); a HAR has log.entries, and each entry a request with method and url."
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(place(context.codingPath)) is of another type than in a HAR."
        default: "it is no JSON" + syntax(bytes)
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
            .joined(separator: ".")
            .replacing(".[", with: "[")
    }

    /// Returns where the JSON is malformed.
    private static func syntax(_ bytes: [UInt8]) -> String {
        guard let position = JSONObject.position(ofFaultIn: bytes) else { return "." }
        if position >= bytes.count { return ": it ends in the middle." }
        let before = bytes[..<position]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return " from line \(line), byte \(position - start + 1) on."
    }
}

extension HARText {
    /// Any of the three.
    private struct Document: Decodable {
        let requests: [Request]

        private enum Key: String, CodingKey { case log, request, entries }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            if container.contains(.log) {
                requests = try container.decode(Log.self, forKey: .log).entries.map(\.request)
            } else if container.contains(.entries) {
                requests = try container.decode([Entry].self, forKey: .entries).map(\.request)
            } else if container.contains(.request) {
                requests = [try container.decode(Request.self, forKey: .request)]
            } else {
                requests = [try Request(from: decoder)]
            }
        }
    }

    private struct Log: Decodable { let entries: [Entry] }
    private struct Entry: Decodable { let request: Request }

    private struct Request: Decodable {
        let method: String
        let url: String
        let headers: [Pair]?
        let postData: PostData?
        let bodySize: Int?
    }

    private struct Pair: Decodable {
        let name: String
        let value: String
    }

    private struct PostData: Decodable {
        let mimeType: String?
        let text: String?
        let params: [Parameter]?
        let encoding: String?
    }

    private struct Parameter: Decodable {
        let name: String
        let value: String?
    }
}
