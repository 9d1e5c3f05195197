/// The problem that the parser stumbled over. Its words are fixed phrases: they never quote the file.
enum YAMLProblem: Error {
    /// Text that does not follow YAML's grammar.
    /// - Parameter context: What was being read, and where that starts.
    case syntax(String, at: SourcePosition, context: (text: String, position: SourcePosition)?)
    /// A byte that YAML text does not have; `offset` counts bytes from the start.
    case byte(String, offset: Int)
    case tooDeep(at: SourcePosition)
    /// A value that starts with `*`.
    case alias(at: SourcePosition)
    /// A value that starts with `&`, or has that behind its tag.
    case anchor(at: SourcePosition)
    /// Memory ran out.
    case memory
}
