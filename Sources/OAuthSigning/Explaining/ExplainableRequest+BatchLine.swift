import FoundationEssentials

extension ExplainableRequest {
    /// Reads one line of `paraph explain --batch`: a JSON object.
    package init(line: [UInt8]) throws(ExplainError) {
        do {
            let described = try JSONDecoder().decode(BatchLine.Checked.self, from: Data(line))
            try self.init(described.line)
        } catch let error as ExplainError {
            throw error
        } catch DecodingError.keyNotFound(let key, _) {
            throw .keyMissing(key.stringValue)
        } catch DecodingError.typeMismatch(let type, let context) where !context.codingPath.isEmpty {
            let key = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw .valueOfOtherType(key: key, expected: Self.words(for: type))
        } catch {
            throw .notJSON
        }
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is String.Type: "a text"
        default: "an object"
        }
    }

    private init(_ line: BatchLine) throws(ExplainError) {
        let isUnsignable = (line.consumerSecret ?? "").isEmpty && line.privateKey == nil
        if line.consumerKey == nil, isUnsignable { throw .nothingToSignWith }
        self.init(
            method: line.method,
            url: line.url,
            host: line.host,
            contentType: line.contentType,
            body: try line.bytes,
            consumerKey: line.consumerKey,
            consumerSecret: line.consumerSecret.map(Secret.init),
            token: line.token,
            tokenSecret: line.tokenSecret.map(Secret.init),
            privateKey: line.privateKey.map(Secret.init),
            nonce: line.nonce,
            timestamp: line.timestamp?.text,
            extra: (line.extra ?? [:]).sorted { $0.key < $1.key }.map(ProtocolParameter.init),
            options: SigningOptions(
                signatureMethod: try line.signature(),
                realm: line.realm,
                includesVersion: line.includeVersion ?? (line.consumerKey != nil)
            )
        )
        // The extension forbids the hash of a form, and asks for that of an empty body.
        let isForm = contentType.map { isFormMediaType(Array($0.utf8).span) } ?? false
        if line.bodyHash ?? false, !isForm { options.bodyHash = .always }
    }
}
