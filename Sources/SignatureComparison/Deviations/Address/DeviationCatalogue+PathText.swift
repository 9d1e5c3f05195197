import Bytes
import OAuthSigning

// The path as routers, gateways and templates write it.
extension DeviationCatalogue {
    var pathTextDeviations: [Deviation] {
        prefixDeviations + suffixDeviations + versionDeviations + pathSpellingDeviations
    }

    private func path(
        _ cause: ComparisonCause,
        _ words: String,
        isRare: Bool = true,
        _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Deviation {
        Deviation(cause, "The other side signed the path \(words).") { $0.uri.path = change($0.uri.path) }
            .of(.path, isRare: isRare)
    }

    /// A prefix that a gateway takes away before it asks the server, or one that it adds.
    private var prefixDeviations: [Deviation] {
        let known = [
            "/api", "/v1", "/v2", "/rest", "/api/v1", "/api/v2", "/public", "/gateway", "/proxy", "/oauth", "/services",
            "/service", "/app", "/web", "/index.php", "/v3", "/api/v3", "/rest/v1", "/1.1", "/1", "/wp-json",
            "/public/api",
            "/backend", "/internal", "/external", "/ws", "/webapi", "/open", "/openapi", "/prod", "/dev", "/stage",
            "/test",
            "/sandbox", "/live", "/latest", "/apis", "/apigw", "/graphql", "/rest/api", "/rest/api/2", "/data",
            "/odata",
            "/index.cfm", "/api.php", "/index.html", "/cgi-bin", "/mobile", "/secure", "/default",
        ]
        let segments = Self.segments(reference.uri.path)
        let own = (1...max(1, min(3, segments.count))).map { Self.path(Array(segments.prefix($0))).text }
        let host = reference.uri.host.text
        let labels = host.split(separator: ".").map { "/" + $0 }.filter { $0 != "/com" && $0 != "/org" && $0 != "/net" }
        return (known + own + labels + ["/" + host]).enumerated().map { index, prefix in
            path(
                .pathPrefix,
                "with \(prefix) in front, a prefix that a gateway takes away (or that was joined twice)",
                isRare: index > 0
            ) { prefix.bytes + $0 }
        }
    }

    private var suffixDeviations: [Deviation] {
        var deviations: [Deviation] = []
        let segments = Self.segments(reference.uri.path)
        for count in 1...3 where count < segments.count {
            let words = count == 1 ? "without its last segment" : "without its last \(count) segments"
            deviations.append(
                path(.pathSuffix, "\(words), \(Self.path(segments.suffix(count)).text)") { _ in
                    Self.path(Array(segments.dropLast(count)))
                }
            )
            deviations.append(
                path(.pathSuffix, "\(words), but with the slash before it") { _ in
                    Self.path(segments.dropLast(count) + [[]])
                }
            )
        }
        deviations.append(
            path(.pathSuffix, "without the extension of its last segment (.json and the like)") { path in
                guard let slash = path.lastIndex(of: Self.slash),
                    let dot = path[slash...].lastIndex(of: UInt8(ascii: "."))
                else { return path }
                return Array(path[..<dot])
            }
        )
        for ending in [
            ".json", ".xml", ".php", ".html", ".aspx", ".do", ".jsp", ".cgi", ".action", ".rss", ".atom", ".csv",
            "/index.html", "/index.php", "/index.json", ".htm", "*", "/*", "//", "/.",
        ] {
            deviations.append(path(.pathSuffix, "with \(ending) added, an extension or suffix") { $0 + ending.bytes })
        }
        deviations.append(
            path(.matrixParameters, "without the parameters behind its semicolons (matrix parameters, or ;jsessionid)")
            { path in
                Self.path(Self.segments(path).map { Array($0.prefix { $0 != UInt8(ascii: ";") }) })
            }
        )
        deviations.append(
            path(.matrixParameters, "up to its first semicolon alone, without the matrix parameters (path parameters)")
            {
                Array($0.prefix { $0 != UInt8(ascii: ";") })
            }
        )
        deviations.append(
            path(.matrixParameters, "with its semicolon (matrix parameters) encoded as %3B") {
                $0.replacing(";".bytes, with: "%3B".bytes)
            }
        )
        return deviations
    }

    /// A template whose placeholder was not replaced.
    var placeholderDeviations: [Deviation] {
        let segments = Self.segments(reference.uri.path)
        return segments.indices.flatMap { index -> [Deviation] in
            guard !segments[index].isEmpty, segments.count <= 16 else { return [] }
            let own = segments[index].text
            var names = [
                "id", "name", "key", "uuid", "slug", "user", "path", "username", "userId", "version", "0", "1",
            ]
            if index > 0 {
                let parent = segments[index - 1].text
                let single =
                    parent.hasSuffix("ies")
                    ? parent.dropLast(3) + "y" : parent.hasSuffix("s") ? parent.dropLast() : Substring(parent)
                names += [
                    "\(single)Id", "\(single)_id", "\(single)", "\(single)-id", "\(single)ID", "\(single)Name",
                    "\(single)_name",
                    "\(single)Key", parent, "\(parent)Id", "\(parent)_id",
                ]
            }
            let spellings = names.flatMap { name in
                [
                    "{\(name)}", ":\(name)", "<\(name)>", "${\(name)}", "{{\(name)}}", "%7B\(name)%7D", "[\(name)]",
                    "$\(name)", "#{\(name)}", "@\(name)",
                ]
            }
            return (spellings + ["%s", "%d", "{}", "*", "undefined", "null", "None", "[object Object]"]).map {
                placeholder in
                path(
                    .pathTemplate,
                    "with the placeholder \(placeholder) of a template in the place of \(own), which is sent"
                ) { path in
                    var segments = Self.segments(path)
                    if index < segments.count { segments[index] = placeholder.bytes }
                    return Self.path(segments)
                }
            }
        }
    }

    /// Another version of an API.
    private var versionDeviations: [Deviation] {
        let segments = Self.segments(reference.uri.path)
        return segments.indices.prefix(16).flatMap { index -> [Deviation] in
            let own = segments[index].text
            let digits = own.hasPrefix("v") ? own.dropFirst() : Substring(own)
            guard !digits.isEmpty, digits.count <= 4, digits.allSatisfy({ $0.isNumber || $0 == "." }) else { return [] }
            return ["1", "2", "3", "4", "5", "1.0", "1.1", "2.0"].flatMap { [$0, "v" + $0] }.filter { $0 != own }.map {
                version in
                path(.pathVersion, "of another version, \(version) in place of \(own)") { path in
                    var segments = Self.segments(path)
                    if index < segments.count { segments[index] = version.bytes }
                    return Self.path(segments)
                }
            }
        }
    }

    private var pathSpellingDeviations: [Deviation] {
        let bytes = reference.uri.path
        let escapes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "%") && $0 + 2 < bytes.count }
            .map { Array(bytes[$0...($0 + 2)]) }
        let reserved = Set(bytes).filter { $0 != Self.slash && $0 != UInt8(ascii: "%") && !$0.isLetterOrDigit }
        var deviations = [
            path(.pathSlashes, "with two slashes between host and path, as joining both may write them", isRare: false)
            {
                [Self.slash] + $0
            },
            path(.pathEncoding, "with + for its spaces (%20)") { $0.replacing("%20".bytes, with: "+".bytes) },
            path(.pathEncoding, "with a space for its +") { $0.replacing("+".bytes, with: "%20".bytes) },
            path(.pathEncoding, "decoded, and with + taken for a space") {
                PercentEncoding.decodeLeniently($0.span, plusIsSpace: true)
            },
            path(.lowercaseHex, "with the digits of its percent-encodings turned into lower case") {
                Self.escapes(in: $0) { $0.map(\.lowercasedASCII) }
            },
            path(.pathEncoding, "with the digits of its percent-encodings turned into upper case") {
                Self.escapes(in: $0) { $0.map(\.uppercasedASCII) }
            },
            path(.pathEncoding, "with the slashes encoded too (%2F)") { PercentEncoding.encode($0) },
            path(.pathEncoding, "decoded and encoded, slashes too (%2F)") {
                PercentEncoding.encode(PercentEncoding.decodeLeniently($0.span))
            },
            path(.pathEncoding, "decoded twice") {
                PercentEncoding.decodeLeniently(PercentEncoding.decodeLeniently($0.span).span)
            },
            path(.pathEncoding, "with its unreserved characters decoded, which were sent percent-encoded") { path in
                Self.escapes(in: path) { escape in
                    let decoded = PercentEncoding.decodeLeniently(escape.span)
                    return decoded.allSatisfy { PercentEncoding.isUnreserved($0) } ? decoded : escape
                }
            },
            path(.pathEncoding, "with its letters outside of ASCII decoded, and the rest as it is sent") { path in
                Self.escapes(in: path) { escape in
                    let decoded = PercentEncoding.decodeLeniently(escape.span)
                    return decoded.allSatisfy { $0 >= 0x80 } ? decoded : escape
                }
            },
            path(.pathEncoding, "decoded but for its %2F; it must stay as it is sent") { path in
                Self.escapes(in: path) { escape in
                    let decoded = PercentEncoding.decodeLeniently(escape.span)
                    return decoded == [Self.slash] ? escape : decoded
                }
            },
            path(.pathEncoding, "with its spaces (%20) decoded, and the rest as it is sent") {
                $0.replacing("%20".bytes, with: " ".bytes)
            },
            path(.pathCase, "in upper case") { $0.map(\.uppercasedASCII) },
            path(.pathEncoding, "encoded as forms do, with + for spaces") {
                Escaping(spaceIsPlus: true, unescaped: [Self.slash]).escape(PercentEncoding.decodeLeniently($0.span))
            },
            path(.pathEncoding, "as encodeURI of JavaScript writes it, once more encoded") {
                Escaping(unescaped: ";,/?:@&=+$!*'()#".bytes).escape($0)
            },
            path(.pathEncoding, "decoded and encoded as encodeURI of JavaScript does") {
                Escaping(unescaped: ";,/?:@&=+$!*'()#".bytes).escape(PercentEncoding.decodeLeniently($0.span))
            },
            path(.pathEncoding, "decoded and encoded as paths need it (: @ ! $ & ' ( ) * + , ; = left)") {
                Escaping(unescaped: "/:@!$&'()*+,;=".bytes).escape(PercentEncoding.decodeLeniently($0.span))
            },
            path(.pathSlashes, "with a backslash for each slash") { $0.replacing("/".bytes, with: "\\".bytes) },
        ]
        for escape in Set(escapes).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            deviations.append(
                path(.pathEncoding, "with \(escape.text) decoded; it must stay as it is sent") {
                    $0.replacing(escape, with: PercentEncoding.decodeLeniently(escape.span))
                }
            )
        }
        for byte in reserved.sorted() {
            let escape =
                PercentEncoding.encode([byte]).count > 1
                ? PercentEncoding.encode([byte]) : Escaping(escaped: [byte]).escape([byte])
            deviations.append(
                path(.pathEncoding, "with \([byte].text) encoded as \(escape.text); it must stay as it is sent") {
                    $0.replacing([byte], with: escape)
                }
            )
        }
        return deviations
    }

    /// Changes each `%XX`.
    private static func escapes(in path: [UInt8], _ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
        var changed: [UInt8] = []
        var rest = path[...]
        while let byte = rest.first {
            let count = byte == UInt8(ascii: "%") && rest.count > 2 ? 3 : 1
            changed += count == 3 ? change(Array(rest.prefix(3))) : [byte]
            rest = rest.dropFirst(count)
        }
        return changed
    }
}
