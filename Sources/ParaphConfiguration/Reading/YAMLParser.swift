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
    func next() throws(YAMLProblem) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(kind: Self.kind(of: event), position: position(event.start_mark))
    }

    private static func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        switch event.type {
        case YAML_SCALAR_EVENT: .scalar(scalar(of: event))
        case YAML_SEQUENCE_START_EVENT: .sequenceStart
        case YAML_SEQUENCE_END_EVENT: .sequenceEnd
        case YAML_MAPPING_START_EVENT: .mappingStart
        case YAML_MAPPING_END_EVENT: .mappingEnd
        case YAML_ALIAS_EVENT: .alias
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: .streamEnd
        default: .boundary
        }
    }

    private static func scalar(of event: yaml_event_t) -> YAMLScalar {
        let scalar = event.data.scalar
        // The text has a length, since it may hold NUL; a tag has not.
        var text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)[...]
        // A byte order mark, which files that were put together have inside, is no part of a value.
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        let tag = scalar.tag.map { String(cString: $0) }
        return YAMLScalar(
            text: String(decoding: text, as: UTF8.self),
            isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
            hasForeignTag: scalar.quoted_implicit == 0 && tag.map { !$0.isEmpty && $0 != YAML_STR_TAG } ?? false
        )
    }

    private var problem: YAMLProblem {
        let failed = parser.pointee
        guard let problem = failed.problem.map({ String(cString: $0) }) else { return .memory }
        switch failed.error {
        case YAML_READER_ERROR:
            return .byte(problem, offset: failed.problem_offset)
        case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
            let context = failed.context.map { (String(cString: $0), position(failed.context_mark)) }
            return .syntax(problem, at: position(failed.problem_mark), context: context)
        default:
            return .memory
        }
    }

    private func position(_ mark: yaml_mark_t) -> SourcePosition {
        min(SourcePosition(line: mark.line + 1, column: mark.column + 1), end)
    }
}
