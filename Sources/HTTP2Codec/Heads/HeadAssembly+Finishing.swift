import HTTP1Codec
import NIOCore

extension HeadAssembly {
    mutating func finishRequest(endsStream: Bool) throws(HeaderBlockError) -> RequestHead {
        let fields = try finish()
        guard let line = requestLine else { throw .malformed(.pseudoFieldMissing) }
        guard fields.contains(.host) else { throw .malformed(.message(.hostMissing)) }
        let framing = try self.framing(endsStream: endsStream)
        return RequestHead(
            fields: fields,
            line: line,
            framing: framing,
            expectsContinue: self.expectsContinue && !endsStream
        )
    }

    mutating func finishResponse(endsStream: Bool, to method: RequestMethod) throws(HeaderBlockError) -> ResponseHead {
        let fields = try finish()
        guard let status = pseudoFields.status else { throw .malformed(.pseudoFieldMissing) }
        if status < 200 {
            guard !endsStream else { throw .malformed(.interimEndsStream) }
            return ResponseHead(fields: fields, status: status, framing: .none)
        }
        if case .head = method { return ResponseHead(fields: fields, status: status, framing: .none) }
        let isBodiless = status == 204 || status == 304
        let framing = isBodiless ? .none : try self.framing(endsStream: endsStream)
        return ResponseHead(fields: fields, status: status, framing: framing)
    }

    mutating func finishTrailers() throws(HeaderBlockError) -> FieldSection {
        try finish()
    }

    /// - Throws: The fault that was kept.
    private mutating func finish() throws(HeaderBlockError) -> FieldSection {
        if let fault = self.fault { throw fault }
        if !hasBegunLines { try beginLines() }
        if hasCookie {
            let cookie = self.cookie.bytes
            appendLine("cookie", .cookie, value: cookie.span.extracting(0..<self.cookie.count))
        }
        self.lines.append("\r\n")
        return FieldSection(bytes: self.lines.copy(), start: firstLine, lines: layouts)
    }

    private func framing(endsStream: Bool) throws(HeaderBlockError) -> BodyFraming {
        guard endsStream else { return contentLength.map(BodyFraming.length) ?? .endOfStream }
        guard contentLength ?? 0 == 0 else { throw .malformed(.contentLengthWithoutBody) }
        return .none
    }
}
