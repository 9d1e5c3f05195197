import CLibYAML

/// libyaml's parser: one event after another, each with its line and column.
///
/// Everything unsafe about reading YAML is in this file. libyaml keeps a pointer to its input and writes to the parser,
/// so both have an address of their own, which this object frees. An event's strings belong to libyaml: they are copied
/// before the event is deleted, and no pointer leaves a method.
final class YAMLParser {
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// libyaml ends the last line with a line break where there is none, and counts it.
    private let end: SourcePosition

    /// - Parameter bytes: UTF-8.
    init(_ bytes: [UInt8]) throws(YAMLProblem) {
        end = YAMLText.position(of: bytes.count, in: bytes)
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw .memory
        }
        self.parser = parser
        input = .allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// The next event. After `streamEnd` there is none: do not ask.
    ///
    /// An anchor or an alias is a problem: by these a small file stands for a large one.
    func next() throws(YAMLProblem) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { yaml_event_delete(&event) }
        let position = position(event.start_mark)
        switch event.type {
        case YAML_ALIAS_EVENT:
            throw .alias(at: position)
        case YAML_SCALAR_EVENT where event.data.scalar.anchor != nil,
            YAML_SEQUENCE_START_EVENT where event.data.sequence_start.anchor != nil,
            YAML_MAPPING_START_EVENT where event.data.mapping_start.anchor != nil:
            throw .anchor(at: position)
        default:
            return YAMLEvent(kind: kind(of: event), position: position)
        }
    }

    private func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        switch event.type {
        case YAML_SCALAR_EVENT: .scalar(scalar(of: event))
        case YAML_SEQUENCE_START_EVENT: .sequenceStart
        case YAML_SEQUENCE_END_EVENT: .sequenceEnd
        case YAML_MAPPING_START_EVENT: .mappingStart
        case YAML_MAPPING_END_EVENT: .mappingEnd
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: .streamEnd
        default: .boundary
        }
    }

    private func scalar(of event: yaml_event_t) -> YAMLScalar {
        let scalar = event.data.scalar
        // The text has a length, since it may hold NUL; a tag has not.
        var text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)[...]
        // A byte order mark, which files that were put together have inside, is no part of a value.
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        let tag = scalar.tag.map { String(cString: $0) }
        return YAMLScalar(
            text: String(decoding: text, as: UTF8.self),
            isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
            hasForeignTag: scalar.quoted_implicit == 0 && tag.map { !$0.isEmpty && $0 != YAML_STR_TAG } ?? false,
            end: position(event.end_mark)
        )
    }

    private var problem: YAMLProblem {
        let failed = parser.pointee
        guard let problem = failed.problem.map({ String(cString: $0) }) else { return .memory }
        switch failed.error {
        case YAML_READER_ERROR:
            return .byte(problem, offset: failed.problem_offset)
        case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
            return lostName(before: failed.problem_mark) ?? syntaxProblem(problem, of: failed)
        default:
            return .memory
        }
    }

    /// The anchor or alias of which no event was made, since libyaml failed at what follows it: the rest of what was
    /// meant as text is seldom YAML, as in `&a@b`. What libyaml has taken it does not keep, so that another parser
    /// looks.
    private func lostName(before end: yaml_mark_t) -> YAMLProblem? {
        (try? YAMLParser(Array(input)))?.scanName(before: end)
    }

    /// Reads tokens, where `next` reads events. In a line in which a key may begin, libyaml goes on to the end before
    /// it hands out a token: when it fails there, they are still in its queue.
    private func scanName(before end: yaml_mark_t) -> YAMLProblem? {
        var token = yaml_token_t()
        while yaml_parser_scan(parser, &token) == 1 {
            defer { yaml_token_delete(&token) }
            guard token.start_mark.index < end.index else { return nil }
            if let name = name(token) { return name }
        }
        let queue = parser.pointee.tokens
        return UnsafeBufferPointer(start: queue.head, count: queue.tail - queue.head)
            .prefix { $0.start_mark.index < end.index }.lazy.compactMap(name).first
    }

    private func name(_ token: yaml_token_t) -> YAMLProblem? {
        switch token.type {
        case YAML_ALIAS_TOKEN: .alias(at: position(token.start_mark))
        case YAML_ANCHOR_TOKEN: .anchor(at: position(token.start_mark))
        default: nil
        }
    }

    private func syntaxProblem(_ problem: String, of failed: yaml_parser_t) -> YAMLProblem {
        let place = position(failed.problem_mark)
        guard let context = failed.context.map({ String(cString: $0) }) else {
            return .syntax(problem, at: place, context: nil)
        }
        let start = position(failed.context_mark)
        return switch context {
        // What follows the sign is no name, as in `*.example.com`.
        case "while scanning an alias": .alias(at: start)
        case "while scanning an anchor": .anchor(at: start)
        default: .syntax(problem, at: place, context: (context, start))
        }
    }

    private func position(_ mark: yaml_mark_t) -> SourcePosition {
        min(SourcePosition(line: mark.line + 1, column: mark.column + 1), end)
    }
}

/// One step of the parser through a YAML file.
struct YAMLEvent {
    enum Kind {
        /// The start of the stream or of a document, or the end of a document.
        case boundary
        case streamEnd
        case scalar(YAMLScalar)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
    }

    var kind: Kind
    var position: SourcePosition
}
