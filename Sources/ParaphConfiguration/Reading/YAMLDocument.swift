import Yams

/// Composes the one document of a YAML file.
enum YAMLDocument {
    /// - Parameter context: learns which keys were written more than once.
    /// - Returns: `nil` when there is nothing but comments.
    static func compose(_ source: YAMLText, context: ReadingContext) throws(Mistake) -> Node? {
        var text = source.text
        while true {
            do {
                // The basic resolver leaves plain scalars as they are written: what they mean depends on their key,
                // and the default one matches seven regular expressions against each.
                return try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
            } catch let error as YamlError {
                // The parser gives up at a key that is written twice. So that the other mistakes are found too, the
                // first of the two is renamed; `Section` gives it back its name.
                if case .duplicatedKeysInMapping(let keys, let place) = error, let key = keys.first,
                    let renamed = RenamedKey.rename(
                        key,
                        at: SourcePosition(place.mark),
                        in: text,
                        earlier: context.renamedKeys
                    )
                {
                    context.renamedKeys.append(RenamedKey(name: key, position: SourcePosition(place.mark)))
                    text = renamed
                } else {
                    throw mistake(error)
                }
            } catch {
                throw Mistake(at: .start, "the file cannot be read as YAML")
            }
        }
    }

    /// The library's own descriptions quote the line, which may hold a secret; its problems are fixed phrases.
    private static func mistake(_ error: YamlError) -> Mistake {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            // What has no end is better told of where it starts.
            let isUnfinished = problem == "found unexpected end of stream"
            let place = isUnfinished ? context?.mark ?? mark : mark
            let surroundings =
                context.map {
                    $0.mark.line == place.line ? "\($0.text): " : "\($0.text) that starts in line \($0.mark.line): "
                }
                ?? ""
            return Mistake(at: SourcePosition(place), "not valid YAML: \(surroundings)\(problem)\(hint(problem))")
        case .duplicatedKeysInMapping(let keys, let context):
            let key = keys.first ?? ""
            return Mistake(at: SourcePosition(context.mark), "\(shown(key)) is written again in this mapping")
        case .reader(let problem, let offset, _, let yaml):
            let before = yaml.prefix(offset ?? 0)
            let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
            return Mistake(
                at: SourcePosition(line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1),
                "not valid YAML: \(problem)"
            )
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            return Mistake(at: .start, "the file cannot be read as YAML")
        }
    }

    /// What usually lies behind a problem of the parser's.
    private static func hint(_ problem: String) -> String {
        switch problem {
        case "found character that cannot start any token", "found a tab character that violates indentation":
            "; indent with spaces, not tabs, and put a value that starts with @, ` or % in quotes"
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

extension SourcePosition {
    static let start = SourcePosition(line: 1, column: 1)

    init(_ mark: Mark) {
        self.init(line: mark.line, column: mark.column)
    }
}
