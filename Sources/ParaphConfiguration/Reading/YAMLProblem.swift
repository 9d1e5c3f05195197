/// The problem that the parser stumbled over. Its words are fixed phrases: they never quote the file.
enum YAMLProblem: Error {
    /// Text that does not follow YAML's grammar.
    /// - Parameter context: The construct that was being read, and the place where it starts.
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

extension YAMLProblem {
    /// Returns it in words for a person, with a hint at what usually lies behind it.
    func mistake(in source: YAMLText) -> Mistake {
        switch self {
        case .syntax(let problem, let position, let context):
            if let cause = SyntaxCause.find(problem, at: position, from: context?.position, in: source) {
                return Mistake(at: cause.position, "not valid YAML: \(cause.message)")
            }
            // What has no end is better told of where it starts.
            let isUnfinished = problem == "found unexpected end of stream"
            let place = isUnfinished ? context?.position ?? position : position
            let surroundings =
                context.map {
                    $0.position.line == place.line
                        ? "\($0.text): " : "\($0.text) that starts in line \($0.position.line): "
                }
                ?? ""
            return Mistake(at: place, "not valid YAML: \(surroundings)\(problem)\(Self.hint(problem))")
        case .byte(let problem, let offset):
            return Mistake(at: source.position(of: offset), "not valid YAML: \(problem)")
        case .tooDeep(let position):
            return Mistake(at: position, "this is nested too deeply; nothing in a configuration file is")
        case .alias(let position):
            return Mistake(
                at: position,
                "a value that starts with * stands for an alias in YAML, which is not used here; put it in quotes, "
                    + "like \"*.example.com\", or write what is meant out in full"
            )
        case .anchor(let position):
            return Mistake(
                at: position,
                "a value that starts with & stands for an anchor in YAML, which is not used here; put it in quotes, "
                    + "or write what is meant out in full"
            )
        case .memory:
            return Mistake(at: .start, "the file cannot be read as YAML")
        }
    }

    /// Returns a hint at what usually lies behind a problem of the parser's.
    private static func hint(_ problem: String) -> String {
        switch problem {
        case "found character that cannot start any token", "found a tab character that violates indentation":
            "; indent with spaces, not tabs, and put a value that starts with @, ` or % in quotes"
        case "did not find expected comment or line break":
            "; put a value that starts with > or | in single quotes"
        case "found unknown escape character", "did not find expected hexdecimal number":
            "; in double quotes a backslash starts an escape: put the value in single quotes"
        case "block sequence entries are not allowed in this context":
            "; put a value that starts with a dash and a blank in single quotes, and begin a list in a line of its own"
        case "mapping keys are not allowed in this context":
            "; put a value that starts with a question mark and a blank in single quotes"
        case "did not find expected node content":
            "; put a value that starts with a comma or a bracket, or in a list with a colon, in quotes, like "
                + "\"[::1]:8080\""
        case "did not find expected <document start>":
            "; what stands before it is no key: value. Is this TOML or INI? A configuration file is YAML"
        case "mapping values are not allowed in this context":
            "; is the line indented like its neighbours, and a value that holds a colon and a blank in quotes?"
        case "could not find expected ':'", "did not find expected key":
            "; is the line indented like its neighbours, and is there a blank after each colon?"
        case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
            "; is a bracket, a comma or a quote missing?"
        case "found unexpected end of stream", "found unexpected document indicator":
            "; is a closing quote missing?"
        case "but found another document":
            "; remove the line --- and what follows it"
        default:
            ""
        }
    }
}
