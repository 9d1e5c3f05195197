import Bytes
import OAuthSigning

// The address as it is joined from pieces, or read from fields that gateways set; each is tried alone.
extension DeviationCatalogue {
    var addressDeviations: [Deviation] {
        schemeTextDeviations + hostTextDeviations + segmentDeviations + endingDeviations + methodTextDeviations
    }

    private func uri(
        _ cause: ComparisonCause,
        _ words: String,
        _ change: @escaping @Sendable (inout RecipeURI) -> Void
    ) -> Deviation {
        Deviation(cause, "The other side signed \(words); the URI is scheme, host and path.") { change(&$0.uri) }
            .of(.host, isRare: true)
    }

    private var schemeTextDeviations: [Deviation] {
        let scheme = reference.uri.scheme.text
        let other = scheme == "https" ? "http" : "https"
        let marks = [
            (":/", "one slash behind the scheme, where paths were joined"), (":///", "three slashes behind the scheme"),
            ("//", "the scheme without its colon"), ("", "the scheme without the colon and the slashes behind it"),
            (":", "the scheme without the slashes behind it"),
            (":////", "four slashes behind the scheme, where paths were joined"),
        ]
        let lists = ["\(scheme),\(other)", "\(scheme), \(other)", "\(other),\(scheme)", "\(other), \(scheme)"]
        let texts =
            ["\(scheme),\(scheme)", "\(scheme), \(scheme)"].map {
                ($0, "the scheme \($0), a whole list of X-Forwarded-Proto")
            }
            + lists.map { ($0, "the scheme \($0), a whole list of X-Forwarded-Proto") }
            + [
                ("\(scheme)://\(scheme)", "the scheme twice"),
                ("\(other)://\(scheme)", "\(other):// before the scheme"),
                ("\(scheme):", "the scheme with its colon twice"),
                (" \(scheme)", "a blank (space) before the URI (URL)"),
                ("\n\(scheme)", "a line end before the URI (URL)"),
                ("\u{FEFF}\(scheme)", "a byte-order mark before the URI (URL)"),
            ]
        return marks.map { text, words in uri(.scheme, words) { $0.mark = text.bytes } }
            + texts.map { text, words in uri(.scheme, words) { $0.scheme = text.bytes } }
    }

    private var hostTextDeviations: [Deviation] {
        let host = reference.uri.host.text
        let port = reference.uri.port.map { ":" + $0.text } ?? ""
        let rest = host.firstIndex(of: ".").map { String(host[$0...]) } ?? ""
        let first = String(host.dropLast(rest.count))
        var others: [(String, String)] = [
            ("\(host), \(host)", "a whole list of X-Forwarded-Host"),
            ("\(host),\(host)", "a whole list of X-Forwarded-Host"),
            ("\(host)\(host)", "twice, one behind the other"), ("\(host) ", "with a blank (space) behind it"),
            (" \(host)", "with a blank (space) before it"), ("\(host)\n", "with a line end behind it"),
            ("\(host).local", "with .local behind it"), ("\(host).localhost", "with .localhost behind it"),
            ("\(host)/", "with a slash behind it"),
            (
                host.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "."),
                "with capitals (its case matters)"
            ),
            ("\(first).sandbox\(rest)", "that of a sandbox"),
            ("\(first)\(rest.replacing(".com", with: ".org"))", "with another ending"),
        ]
        let labels = [
            "www", "api", "sandbox", "staging", "stage", "test", "dev", "m", "app", "rest", "secure", "oauth", "auth",
            "accounts", "qa", "uat", "beta", "api2", "eu", "us", "web", "services", "gateway", "internal",
        ]
        if rest.contains(".") {
            others += labels.map { ("\($0)\(rest)", "with \($0) for \(first)") }
            others += labels.flatMap { label in
                [
                    ("\(label).\(host)", "with \(label). in front"), ("\(label)-\(host)", "with \(label)- in front"),
                    ("\(first)-\(label)\(rest)", "with -\(label) behind \(first)"),
                    ("\(first).\(label)\(rest)", "with .\(label) behind \(first)"),
                ]
            }
            others += ["com", "org", "net", "io", "co", "test", "local", "de", "co.uk"].compactMap { ending in
                host.lastIndex(of: ".").map { (host[..<$0] + ".\(ending)", "with the ending .\(ending)") }
            }
        }
        let hosts = others.filter { $0.0 != host }.map { other, words in
            Deviation(.host, "The other side signed the host \"\(other)\", \(words); the request goes to \(host).") {
                $0.uri.host = other.bytes
            }
            .of(.host, isRare: true)
        }
        if port.isEmpty { return hosts }
        let ports = [
            (port + port, "twice"), ("%3A" + port.dropFirst(), "with its colon encoded"),
            (": " + port.dropFirst(), "behind a blank"),
        ]
        return hosts
            + ports.map { text, words in
                uri(.portKept, "the port \(words)") {
                    $0.host += text.bytes
                    $0.port = nil
                }
            }
    }

    private func path(_ cause: ComparisonCause, _ words: String, _ path: [UInt8]) -> Deviation {
        Deviation(cause, "The other side signed the path \(words); it must be as it is sent.") { $0.uri.path = path }
            .of(.path, isRare: true)
    }

    /// Segments that are missing, doubled or otherwise written, as templates and joined base addresses leave them.
    private var segmentDeviations: [Deviation] {
        let right = reference.uri.path
        let segments = Self.segments(right)
        guard segments.count <= 16 else { return [] }
        var deviations: [Deviation] = []
        func add(_ cause: ComparisonCause, _ words: String, _ changed: [[UInt8]]) {
            deviations.append(path(cause, words, Self.path(changed)))
        }
        for (index, segment) in segments.enumerated() where !segment.isEmpty {
            let name = segment.text
            let (before, behind) = (Array(segments[..<index]), Array(segments[(index + 1)...]))
            add(.pathPrefix, "without its segment \(name), as a base address is joined wrongly", before + behind)
            add(
                .pathPrefix,
                "with its segment \(name) twice, as a base address is joined wrongly",
                before + [segment, segment] + behind
            )
            add(.pathSlashes, "with two slashes before its segment \(name)", before + [[], segment] + behind)
            add(
                .pathTemplate,
                "with two slashes where its segment \(name) is: a value of a template that was empty",
                before + [[]] + behind
            )
            let others = [
                (name.hasSuffix("s") ? String(name.dropLast()) : name + "s", "singular or plural"),
                ("'\(name)'", "in single quotation marks"),
                ("%27\(name)%27", "in single quotation marks"), ("\"\(name)\"", "in quotation marks"),
                ("%22\(name)%22", "in quotation marks"),
                ("0", "0"), ("(\\d+)", "the pattern of a route (template)"),
                ("([^/]+)", "the pattern of a route (template)"),
                ("(.*)", "the pattern of a route (template)"), ("\\d+", "the pattern of a route (template)"),
                ("[object Object]", "a template's"),
                (name.prefix(1).uppercased() + name.dropFirst(), "in another case"),
                (name.lowercased(), "in another case"),
                (name.uppercased(), "in another case"), (name.replacing("-", with: "_"), "with _ for -"),
                (name.replacing("_", with: "-"), "with - for _"),
                (name + " ", "with a blank (space) behind it"), (name + "%20", "with a blank (space, %20) behind it"),
            ]
            for (other, words) in others where other != name {
                add(.path, "with the segment \(other) for \(name) (\(words))", before + [other.bytes] + behind)
            }
            if index > 0 {
                deviations.append(
                    path(
                        .pathSlashes,
                        "with a backslash before its segment \(name)",
                        Self.path(before) + "\\".bytes + Self.path([segment] + behind).dropFirst()
                    )
                )
            }
        }
        add(
            .pathCase,
            "with capitals at the beginnings of its segments",
            segments.map { ($0.text.prefix(1).uppercased() + $0.text.dropFirst()).bytes }
        )
        deviations.append(path(.pathPrefix, "twice, as it is joined with itself", right + right))
        for language in ["en", "de", "fr", "es", "it", "pt", "nl", "ja", "en-us", "en-US", "en_US", "us"] {
            deviations.append(
                path(.pathPrefix, "with /\(language) in front, a language's prefix", "/\(language)".bytes + right)
            )
        }
        return deviations + twoPlaceholderDeviations(segments)
    }

    /// All numbers of a path as placeholders at once.
    private func twoPlaceholderDeviations(_ segments: [[UInt8]]) -> [Deviation] {
        let marks = [("{", "}"), (":", ""), ("<", ">"), ("%7B", "%7D"), ("${", "}")]
        let names: [(String) -> String] = [{ $0 + "Id" }, { $0 + "_id" }, { $0 }, { _ in "id" }]
        return marks.flatMap { open, close in
            names.map { name in
                let changed = segments.enumerated().map { index, segment -> [UInt8] in
                    guard index > 0, !segment.isEmpty,
                        segment.allSatisfy({ $0.isDigit || $0 == 0x2D || 97...102 ~= $0 })
                    else { return segment }
                    let parent = segments[index - 1].text
                    return (open + name(parent.hasSuffix("s") ? String(parent.dropLast()) : parent) + close).bytes
                }
                let text = Self.path(changed)
                return path(.pathTemplate, "with the placeholders of a template, \(text.text)", text)
            }
        }
    }

    private var endingDeviations: [Deviation] {
        let right = reference.uri.path
        let query = request.query.text
        let endings = [
            (" ", "a blank (space) behind it"), ("%20", "a blank (space, %20) behind it"),
            ("\n", "a line end behind it"),
            ("%0A", "a line end (%0A) behind it"), ("#", "the # of an empty fragment behind it"),
            ("&", "a & (ampersand) behind it"),
            ("?&", "?& behind it"), (",", "a comma behind it"), (";", "a semicolon behind it"),
            ("\"", "a quotation mark behind it"),
            (".", "a dot behind it"), ("/index", "/index behind it"), ("/list", "/list behind it"),
            ("(.:format)", "a route's (.:format) behind it"),
            (".{format}", "a template's .{format} behind it"), ("{.format}", "a template's {.format} behind it"),
            ("{?", "a template's {? behind it"),
            ("%3F\(query)", "%3F (an encoded ?) and the query behind it"), ("&\(query)", "a & and the query behind it"),
            (":443", "a port behind it"),
            ("/\(query)", "the query behind it, as a segment"), (query, "the query behind it, without ?"),
        ]
        let wrapped = [("<", ">"), ("\"", "\""), ("'", "'"), ("(", ")"), ("[", "]")].map { open, close in
            uri(.path, "the URI in \(open) \(close), which are brackets or quotation marks") {
                $0.scheme = open.bytes + $0.scheme
                $0.path += close.bytes
            }
        }
        let rests = endings.flatMap { text, words in
            [true, false].map { keepsQuery in
                let changed = path(.pathSuffix, "with \(words)", right + text.bytes)
                if keepsQuery { return changed }
                return Deviation(
                    .queryInURI,
                    "The other side signed the path with \(words), and not the query's parameters."
                ) {
                    $0.uri.path = right + text.bytes
                    $0.parameters.removeAll { $0.origin == .query }
                }
                .of(.path, isRare: true)
            }
        }
        let plus = [
            path(.pathEncoding, "with a blank (space) for each plus sign (+)", right.map { $0 == 0x2B ? 0x20 : $0 }),
            path(
                .pathEncoding,
                "with %20 (a space) for each plus sign (+)",
                right.replacing("+".bytes, with: "%20".bytes)
            ),
            path(
                .pathEncoding,
                "with its parentheses encoded",
                right.replacing("(".bytes, with: "%28".bytes).replacing(")".bytes, with: "%29".bytes)
            ),
            path(
                .pathEncoding,
                "decoded and encoded with lower-case digits",
                Escaping(usesLowercaseDigits: true, unescaped: [Self.slash]).escape(
                    PercentEncoding.decodeLeniently(right.span)
                )
            ),
        ]
        return rests + wrapped + plus
    }

    private var methodTextDeviations: [Deviation] {
        let name = reference.method.text
        let texts = [
            name.prefix(1) + name.dropFirst().lowercased(), "HttpMethod.\(name)", "Method.\(name)",
            "HTTPMethod.\(name)", "HTTP_\(name)", "\(name):", "[\(name)]", "\"\(name)\"",
        ]
        let blank = [("\(name) ", "behind"), (" \(name)", "before")].map { text, place in
            Deviation(.method, "The other side signed the method with a blank (space) \(place) it.") {
                $0.finish = { bytes in text.bytes + bytes.drop { $0 != UInt8(ascii: "&") } }
            }
            .of(.text, isRare: true)
        }
        return blank
            + texts.enumerated().map { index, text in
                Deviation(
                    index == 0 ? .methodCase : .method,
                    "The other side signed the method as \(text); it must be \(name), in upper case."
                ) {
                    $0.method = text.bytes
                }
                .of(.method, isRare: true)
            }
    }
}
