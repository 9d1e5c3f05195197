import Bytes
import OAuthSigning

// Further ways to percent-encode, and to put the list of parameters together.
extension DeviationCatalogue {
    var writtenDeviations: [Deviation] { partialDeviations + separatorDeviations + keptDeviations }

    /// Names and values that are not encoded alike.
    private var partialDeviations: [Deviation] {
        [
            Deviation(.doubleEncoding, "The other side encoded the names of parameters twice, the values once.") {
                $0.nameEscaping = Escaping(rounds: 2)
            },
            Deviation(.doubleEncoding, "The other side encoded the values of parameters twice, the names once.") {
                $0.nameEscaping = Escaping()
                $0.parameterEscaping.rounds = 2
            },
            Deviation(.missingEncoding, "The other side did not encode the names of parameters before it joined them.")
            {
                $0.nameEscaping = Escaping(rounds: 0)
            },
            Deviation(
                .missingEncoding,
                "The other side did not encode the values of parameters before it joined them; the names it did."
            ) {
                $0.nameEscaping = Escaping()
                $0.parameterEscaping.rounds = 0
            },
            Deviation(
                .missingEncoding,
                "The other side did not encode the parameters of the request before it joined them; the protocol's it did."
            ) {
                Self.change(&$0) { $0.isEncoded = true }
            },
            Deviation(
                .doubleEncoding,
                "The other side encoded the parameters of the request twice, the protocol's once."
            ) {
                Self.change(&$0) {
                    ($0.name, $0.value) = (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value))
                }
            },
            Deviation(.doubleEncoding, "The other side encoded the values of the request's parameters twice.") {
                Self.change(&$0) { $0.value = PercentEncoding.encode($0.value) }
            },
            Deviation(.doubleEncoding, "The other side encoded the protocol's parameters twice, the request's once.") {
                recipe in
                for index in recipe.parameters.indices where recipe.parameters[index].origin == .protocol {
                    recipe.parameters[index].value = PercentEncoding.encode(recipe.parameters[index].value)
                }
            },
            Deviation(.doubleEncoding, "The other side encoded names and values three times before it joined them.") {
                $0.parameterEscaping.rounds = 3
            },
            Deviation(
                .doubleEncoding,
                "The other side encoded each parameter, name=value, once more as a whole (twice)."
            ) {
                $0.listEscaping.rounds = 2
                $0.separators.pairs = "&".bytes
            },
            Deviation(
                .plusForSpace,
                "The other side wrote the spaces of the request's parameters as + (as forms do), those of the protocol's as %20."
            ) {
                Self.change(&$0) { parameter in
                    let form = Escaping(spaceIsPlus: true)
                    (parameter.name, parameter.value) = (form.escape(parameter.name), form.escape(parameter.value))
                    parameter.isEncoded = true
                }
            },
            Deviation(.lowercaseHex, "The other side encoded the request's parameters with lower-case digits (%3d).") {
                Self.change(&$0) { parameter in
                    let lower = Escaping(usesLowercaseDigits: true)
                    (parameter.name, parameter.value) = (lower.escape(parameter.name), lower.escape(parameter.value))
                    parameter.isEncoded = true
                }
            },
            Deviation(.lowercaseHex, "The other side encoded the list of parameters with lower-case digits (%3d).") {
                $0.listEscaping.usesLowercaseDigits = true
            },
            Deviation(.formEncoding, "The other side encoded the base string's parts as forms do, with + for spaces.") {
                $0.listEscaping.spaceIsPlus = true
                $0.parameterEscaping.rounds = 0
            },
            Deviation(
                .reservedNotEncoded,
                "The other side left all of ASCII that can be seen as it is, and encoded blanks and letters beyond alone."
            ) {
                $0.parameterEscaping.unescaped += Array(0x21...0x7E)
            },
            Deviation(.reservedNotEncoded, "The other side left = in values as it is (it encodes everything else).") {
                $0.parameterEscaping.unescaped += "=".bytes
            },
        ].of(.escaping, isRare: true)
    }

    /// Sets of characters that functions of libraries leave as they are.
    private var keptDeviations: [Deviation] {
        let sets = [
            ("[]", "[ and ] (square brackets)"), (":@/,", ": @ / and , (what paths may have)"),
            (" ", "the space (a blank)"),
            ("%", "the percent sign (%)"), ("&", "the & (ampersand)"), ("=", "the ="), ("&=", "& and ="),
            (":/", ": and /"),
            (":/?#[]@", "the general delimiters of URIs (: / ? # [ ] @)"),
            ("!$&'()*+,;=", "the sub-delimiters of URIs (! $ & ' ( ) * + , ; =)"),
            (":/?#[]@!$&'()*+,;=", "reserved characters (what URIs reserve)"),
            ("!$&'()*+,;=:@", "what a segment of a path may have (! $ & ' ( ) * + , ; = : @)"),
            ("!$&'()*+,;=:@/?", "what a query may have (! $ & ' ( ) * + , ; = : @ / ?)"), ("/?", "/ and ?"),
            ("/:,", "/ : and ,"), ("@:", "@ and :"), (",:", ", and :"),
            ("!'()", "! ' ( and )"), ("'()", "' ( and )"), ("()", "( and ) (parentheses)"), ("!*", "! and *"),
            ("*+", "* and +"), ("$,", "$ and ,"), ("{}", "{ and } (braces)"), ("[]{}", "brackets and braces"),
            ("@*/+", "@ * / and + (JavaScript's escape())"), ("/:@&=+$,?;", "; , / ? : @ & = + $"), ("|", "|"),
            ("\"", "quotation marks"), ("<>", "< and >"), ("^`{|}", "^ ` { | and }"),
            ("!*'();:@&=+$,/?#[]", "any reserved character"), ("[],", "[ ] and ,"), ("[]:", "[ ] and :"),
            (",;", ", and ;"), (":,", ": and ,"), ("!()*", "! ( ) and *"),
            ("$-_.+!*'(),", "$ - _ . + ! * ' ( ) and , (RFC 1738)"), ("#", "#"), ("\\", "the backslash"),
        ]
        return sets.flatMap { set, words in
            let sentence = "The other side does not encode \(words); everything but letters, digits and -._~ must be."
            return [
                Deviation(.reservedNotEncoded, sentence) { $0.parameterEscaping.unescaped += set.bytes },
                Deviation(.reservedNotEncoded, sentence) {
                    $0.parameterEscaping.unescaped += set.bytes
                    $0.uriEscaping.unescaped += set.bytes
                    $0.listEscaping.unescaped += set.bytes
                },
            ]
        }
        .enumerated().map { $1.of(.escaping, isRare: $0 > 3) }
    }

    private var separatorDeviations: [Deviation] {
        func list(_ sentence: String, _ change: @escaping @Sendable (inout SigningRecipe) -> Void) -> Deviation {
            Deviation(.separators, "The other side \(sentence)", change: change).of(.order, isRare: true)
        }
        var deviations = [
            list("put a & (ampersand) before the first parameter.") { $0.separators.before = "&".bytes },
            list("put a & (ampersand) behind the last parameter.") { $0.behind = "&".bytes },
            list("put a & (ampersand) before the first and behind the last parameter.") {
                $0.separators.before = "&".bytes
                $0.behind = "&".bytes
            },
            list("put a ? (question mark) before the first parameter.") { $0.separators.before = "?".bytes },
            list("put a comma behind the last parameter.") { $0.behind = ",".bytes },
            list("put commas between parameters, and between name and value, for & and =.") {
                $0.separators.pairs = ",".bytes
                $0.separators.values = ",".bytes
            },
            list("put no = between name and value.") { $0.separators.values = [] },
            list("put : for = between name and value.") { $0.separators.values = ":".bytes },
            list("put quotation marks around values, as the header has them, and commas for & (ampersands).") {
                $0.separators = ("\",".bytes, "=\"".bytes, [])
                $0.behind = "\"".bytes
            },
            list(
                "put quotation marks around values, as the header has them, and commas with blanks for & (ampersands)."
            ) {
                $0.separators = ("\", ".bytes, "=\"".bytes, [])
                $0.behind = "\"".bytes
            },
            list("put quotation marks around values.") {
                $0.separators = ("\"&".bytes, "=\"".bytes, [])
                $0.behind = "\"".bytes
            },
        ]
        let pairs = [
            (",", "commas"), (", ", "commas with blanks"), (";", "semicolons"), ("", "nothing"),
            ("&amp;", "&amp; of HTML"), ("\n", "line ends"), (" ", "blanks (spaces)"), ("&&", "two & (ampersands)"),
            ("|", "|"), ("%26", "an encoded & (%26)"), ("&\n", "& and line ends"), (" & ", "& between blanks (spaces)"),
            ("?", "? (question marks)"),
        ]
        deviations += pairs.map { text, words in
            list("put \(words) between the parameters as separator; it must be a & (ampersand).") {
                $0.separators.pairs = text.bytes
            }
        }
        let before: [(String, @Sendable (ParameterOrigin) -> Bool)] = [
            ("protocol's parameters and those of the request", { $0 == .protocol }),
            ("query's parameters and the others", { $0 == .query }),
            ("form's parameters and the others", { $0 == .form }),
        ]
        // The order is that of the encoded names; the seam is where one group ends.
        deviations += before.flatMap { words, isIn in
            [true, false].map { isBefore in
                list("put no & (ampersand) as separator between the \(words).") { recipe in
                    let ordered = recipe.orderedParameters
                    for index in ordered.indices.dropFirst()
                    where isIn(ordered[index].origin) == isBefore && isIn(ordered[index - 1].origin) != isBefore {
                        recipe.joinParameter(named: ordered[index].name, value: ordered[index].value)
                    }
                }
            }
        }
        for origin in [ParameterOrigin.query, .form] where !(origin == .query ? request.query.isEmpty : !signsForm) {
            for hasEquals in [true, false] {
                deviations.append(
                    Deviation(
                        .separators,
                        "The other side signed an empty name and value\(hasEquals ? "" : ", without =,") for a stray & (ampersand) in the \(origin == .query ? "query" : "form")."
                    ) {
                        var empty = RecipeParameter(name: [], value: [], origin: origin)
                        empty.hasEquals = hasEquals
                        $0.parameters.append(empty)
                    }
                    .of(.selection, isRare: true)
                )
            }
        }
        return deviations
    }
}
