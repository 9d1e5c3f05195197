/// Composes the nodes of a file that holds one document from the parser's events.
///
/// Each level of nesting takes stack here, and time at every token in libyaml. A configuration file has fewer than ten,
/// so the bound is low.
struct YAMLComposer {
    /// The number of lists and mappings that may be inside one another.
    private static let maximumDepth = 32

    private let parser: YAMLParser

    /// - Returns: `nil` when there is nothing but comments.
    static func compose(_ source: YAMLText) throws(Mistake) -> YAMLNode? {
        do {
            return try compose(source.bytes)
        } catch {
            throw error.mistake(in: source)
        }
    }

    /// Composes as `compose` of a text does, before a problem is put into words.
    static func compose(_ bytes: [UInt8]) throws(YAMLProblem) -> YAMLNode? {
        try Self(parser: YAMLParser(bytes)).document()
    }

    private func document() throws(YAMLProblem) -> YAMLNode? {
        _ = try parser.next()
        if case .streamEnd = try parser.next().kind { return nil }
        let root = try node(parser.next(), depth: 0)
        _ = try parser.next()
        let end = try parser.next()
        guard case .streamEnd = end.kind else {
            throw .syntax(
                "but found another document",
                at: end.position,
                context: ("expected a single document in the stream", .start)
            )
        }
        return root
    }

    private func node(_ event: YAMLEvent, depth: Int) throws(YAMLProblem) -> YAMLNode {
        let content: YAMLNode.Content
        switch event.kind {
        case .scalar(let scalar):
            content = .scalar(scalar)
        case .sequenceStart where depth == Self.maximumDepth, .mappingStart where depth == Self.maximumDepth:
            throw .tooDeep(at: event.position)
        case .sequenceStart:
            content = .sequence(try items(depth: depth + 1))
        case .mappingStart:
            content = .mapping(try entries(depth: depth + 1))
        // The parser does not let these stand where a node is due.
        case .boundary, .streamEnd, .sequenceEnd, .mappingEnd:
            throw .syntax("did not find expected node content", at: event.position, context: nil)
        }
        return YAMLNode(content: content, position: event.position)
    }

    private func items(depth: Int) throws(YAMLProblem) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            let event = try parser.next()
            if case .sequenceEnd = event.kind { return items }
            items.append(try node(event, depth: depth))
        }
    }

    private func entries(depth: Int) throws(YAMLProblem) -> [(key: YAMLNode, value: YAMLNode)] {
        var entries: [(key: YAMLNode, value: YAMLNode)] = []
        while true {
            let event = try parser.next()
            if case .mappingEnd = event.kind { return entries }
            let key = try node(event, depth: depth)
            entries.append((key, try node(parser.next(), depth: depth)))
        }
    }
}
