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
