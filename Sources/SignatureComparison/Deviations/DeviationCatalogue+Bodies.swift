import Bytes
import OAuthSigning

// A body or a query that was taken for something else than it is (RFC 5849, section 3.4.1.3.1).
extension DeviationCatalogue {
    var bodyDeviations: [Deviation] {
        jsonDeviations + multipartDeviations + appendedDeviations + wholeDeviations + repeatedSourceDeviations
            + rewriteDeviations
    }

    /// The number of bytes beyond which a body is not taken apart: it may be a stranger's.
    private static let bodyLimit = 1 << 18

    private func adding(
        _ cause: ComparisonCause,
        _ sentence: String,
        isRare: Bool = true,
        _ pairs: [(name: String, value: String)]
    ) -> Deviation {
        let added = pairs.map { RecipeParameter(name: $0.name.bytes, value: $0.value.bytes, origin: .form) }
        return Deviation(cause, sentence) { recipe in
            recipe.parameters.removeAll { $0.origin == .form }
            recipe.parameters += added
        }
        .of(.selection, isRare: isRare)
    }

    private var jsonDeviations: [Deviation] {
        guard !request.isForm, !request.body.isEmpty, request.body.count <= Self.bodyLimit else { return [] }
        let text = request.body.text
        var deviations: [Deviation] = []
        if let json = JSONValue(request.body) {
            let kinds = FlattenedJSON.Style.all
            deviations += kinds.enumerated().map { index, style in
                adding(
                    .bodySignedAsForm,
                    "The other side signed the fields of the JSON body as if it were a form (\(style.words)); only a form is "
                        + "signed.",
                    isRare: index > 2,
                    FlattenedJSON(json, style).pairs
                )
            }
            for name in [
                "body", "data", "json", "payload", "", "request", "params", "content", "raw", "q", "_json", "input",
                "RAW_BODY", "message",
            ] {
                let texts = [text, json.text(.init()), json.text(.init(comma: ", ", colon: ": "))]
                deviations += texts.enumerated().map { index, text in
                    adding(
                        .bodySignedAsForm,
                        "The other side signed the JSON body as the value of one parameter, \(name.isEmpty ? "without a name" : "named \(name)"); only a form is signed.",
                        isRare: index > 0 || name != "body",
                        [(name, text)]
                    )
                }
            }
        }
        deviations.append(
            adding(
                .bodySignedAsForm,
                "The other side signed the whole body as a form of one name without a value (JSON or other text); it is no form.",
                [(text, "")]
            )
        )
        for name in ["body", "data", "", "payload", "content", "raw", "xml"] {
            deviations.append(
                adding(
                    .bodySignedAsForm,
                    "The other side signed the body as the value of one parameter, \(name.isEmpty ? "without a name" : "named \(name)"); only a form is signed.",
                    [(name, text)]
                )
            )
        }
        return deviations
    }

    private var multipartDeviations: [Deviation] {
        guard request.body.count <= Self.bodyLimit, let type = request.contentType,
            let body = MultipartBody(request.body, contentType: type)
        else { return [] }
        let sentence = "The other side signed the fields of the multipart body as if it were a form"
        let fields = body.parts.filter { $0.fileName == nil }.map { ($0.name, $0.content.text) }
        let files = body.parts.filter { $0.fileName != nil }
        func all(_ value: (MultipartBody.Part) -> String) -> [(name: String, value: String)] {
            fields + files.map { ($0.name, value($0)) }
        }
        let kinds: [(String, [(name: String, value: String)])] = [
            ("those that are no files", fields), ("the content of files too", all { $0.content.text }),
            ("the names of files too", all { $0.fileName ?? "" }), ("files with an empty value", all { _ in "" }),
            ("@ and the name of files too, as curl has it", all { "@" + ($0.fileName ?? "") }),
            ("files as [object Object]", all { _ in "[object Object]" }),
            ("files as [object File]", all { _ in "[object File]" }), ("files as Array", all { _ in "Array" }),
            ("files as Base64", all { Base64.encode($0.content.span).text }),
            ("the types of files too", all { $0.contentType ?? "" }),
            ("files as the word null", all { _ in "null" }),
            ("files as their length", all { String($0.content.count) }),
            (
                "the names of files twice",
                fields + files.map { ($0.name, $0.fileName ?? "") } + files.map { ("filename", $0.fileName ?? "") }
            ),
            ("all with empty values", body.parts.map { ($0.name, "") }),
            ("files alone", files.map { ($0.name, $0.content.text) }),
            ("the names of files alone", files.map { ($0.name, $0.fileName ?? "") }),
        ]
        return kinds.enumerated().map { index, kind in
            adding(
                .bodySignedAsForm,
                "\(sentence) (\(kind.0)); a multipart body is not signed.",
                isRare: index > 2,
                kind.1
            )
        }
    }

    /// A query or a form that was put behind the sorted parameters.
    private var appendedDeviations: [Deviation] {
        func appended(_ origin: ParameterOrigin, _ bytes: [UInt8], _ what: String) -> [Deviation] {
            if bytes.isEmpty { return [] }
            let sentence =
                "The other side put the \(what) as it is sent behind the other parameters, and did not sort it with them"
            return [
                Deviation(.notSorted, "\(sentence).") { recipe in
                    recipe.parameters.removeAll { $0.origin == origin }
                    recipe.behind = "&".bytes + bytes
                }
                .of(.selection, isRare: true),
                Deviation(.notSorted, "\(sentence); it stands before them.") { recipe in
                    recipe.parameters.removeAll { $0.origin == origin }
                    recipe.separators.before = bytes + "&".bytes
                }
                .of(.selection, isRare: true),
            ]
        }
        return appended(.query, request.query, "query") + appended(.form, request.body, "body")
    }

    /// A query or a form that was not taken apart.
    private var wholeDeviations: [Deviation] {
        func whole(_ origin: ParameterOrigin, _ bytes: [UInt8], _ what: String) -> [Deviation] {
            guard !bytes.isEmpty else { return [] }
            let decoded = PercentEncoding.decodeLeniently(bytes.span, plusIsSpace: true)
            func one(
                _ words: String,
                _ name: [UInt8],
                _ value: [UInt8],
                hasEquals: Bool = true,
                isEncoded: Bool = false
            )
                -> Deviation
            {
                Deviation(.takenAsOne, "The other side signed the whole \(what) as one parameter: \(words).") {
                    recipe in
                    var parameter = RecipeParameter(name: name, value: value, origin: origin)
                    (parameter.hasEquals, parameter.isEncoded) = (hasEquals, isEncoded)
                    recipe.parameters.removeAll { $0.origin == origin }
                    recipe.parameters.append(parameter)
                }
                .of(.selection, isRare: true)
            }
            var deviations: [Deviation] = []
            for (bytes, words) in [(bytes, ""), (decoded, ", decoded")] {
                deviations += [
                    one("one name without a value\(words)", bytes, []),
                    one("one name without a value and without =\(words)", bytes, [], hasEquals: false),
                    one("one name without a value, not encoded\(words)", bytes, [], hasEquals: false, isEncoded: true),
                    one("the value of a parameter without a name\(words)", [], bytes),
                    one("the value of a parameter named \(what)\(words)", what.bytes, bytes),
                    one("the value of a parameter named body\(words)", "body".bytes, bytes),
                    one("the value of a parameter named data\(words)", "data".bytes, bytes),
                ]
                let parts = bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                    .map { Array($0) }
                if parts.count == 2 {
                    deviations.append(
                        one("it was split at its first = alone, the rest is its value\(words)", parts[0], parts[1])
                    )
                }
                if let last = bytes.lastIndex(of: UInt8(ascii: "=")) {
                    deviations.append(
                        one(
                            "it was split at its last = alone\(words)",
                            Array(bytes[..<last]),
                            Array(bytes[(last + 1)...])
                        )
                    )
                }
            }
            return deviations
        }
        return whole(.query, request.query, "query") + (signsForm ? whole(.form, request.body, "form") : [])
    }

    private var repeatedSourceDeviations: [Deviation] {
        let body = request.isForm ? RecipeParameter.all(in: request.body, origin: .form) : []
        func twice(_ origins: [ParameterOrigin], _ what: String) -> Deviation {
            Deviation(.signedTwice, "The other side signed the parameters of the \(what) twice (duplicates of each).") {
                $0.parameters += $0.parameters.filter { origins.contains($0.origin) }
            }
            .of(.selection, isRare: true)
        }
        var deviations = [
            twice([.query], "query"), twice([.form], "form"), twice([.query, .form], "query and of the form"),
            twice([.protocol], "protocol"),
            twice([.protocol, .query, .form], "request and the protocol, all of them,"),
            Deviation(
                .formNotSigned,
                "The other side did not sign the form and the query: neither has been signed, the protocol's parameters only."
            ) {
                $0.parameters.removeAll { $0.origin != .protocol }
            }
            .of(.selection, isRare: true),
            Deviation(
                .parameterNotSigned,
                "The other side signed the parameters of the request only, and none of the protocol's (oauth_…)."
            ) {
                $0.parameters.removeAll { $0.origin == .protocol }
            }
            .of(.selection, isRare: true),
        ]
        if !body.isEmpty, !signsForm {
            deviations.append(
                Deviation(.queryNotSigned, "The other side signed the form in place of the query.") { recipe in
                    recipe.parameters.removeAll { $0.origin == .query }
                    recipe.parameters += body
                }
                .of(.selection, isRare: true)
            )
        }
        return deviations
    }

    /// The path as a parameter, as rewriting web servers hand it to a program, and the routes of frameworks.
    private var rewriteDeviations: [Deviation] {
        let path = PercentEncoding.decodeLeniently(reference.uri.path.span).text
        let bare = String(path.drop { $0 == "/" })
        var pairs = [
            "q", "url", "_url", "route", "rest_route", "path", "r", "uri", "request", "s", "_path", "__route__", "p",
            "page", "action", "controller", "endpoint",
        ]
        .flatMap { name in [path, bare].map { [(name: name, value: $0)] } }
        let segments = bare.split(separator: "/").map(String.init)
        for (index, segment) in segments.enumerated().suffix(4) {
            let scoped = segments[...index].joined(separator: "/")
            for controller in [segment, segment + "s"] + (scoped == segment ? [] : [scoped]) {
                for action in ["index", "show", "create", "update", "destroy", "edit", "new", "get", "post", "list"] {
                    let route = [(name: "controller", value: controller), (name: "action", value: action)]
                    pairs.append(route)
                    if index + 1 < segments.count { pairs.append(route + [(name: "id", value: segments[index + 1])]) }
                    pairs.append(route + [(name: "format", value: "json")])
                }
            }
            pairs.append([(name: "id", value: segment)])
        }
        return pairs.map { pairs in
            let words = pairs.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
            let added = pairs.map { RecipeParameter(name: $0.name.bytes, value: $0.value.bytes, origin: .query) }
            return Deviation(
                .routeParameter,
                "The other side signed \(words), which is not sent: a framework's route (controller, action) or a web server's "
                    + "rewriting added it."
            ) { $0.parameters += added }
            .of(.selection, isRare: true)
        }
    }
}
