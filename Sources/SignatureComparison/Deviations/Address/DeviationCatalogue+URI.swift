import Bytes
import OAuthSigning

// Scheme, host and port (RFC 5849, section 3.4.1.2).
extension DeviationCatalogue {
    var portDeviations: [Deviation] {
        let written = RecipeURI.split(request.authority).port.flatMap { $0.isEmpty ? nil : $0 }
        if let port = reference.uri.port {
            let text = String(decoding: port, as: UTF8.self)
            return [
                Deviation(
                    .portDropped,
                    "The other side left out the port \(text); only the scheme's own is left out of the base string."
                ) { $0.uri.port = nil }
            ]
        }
        let own = URIScheme(name: reference.uri.scheme.span).map { Array(String($0.defaultPort).utf8) }
        guard let port = written ?? own else { return [] }
        let (text, scheme) = (
            String(decoding: port, as: UTF8.self), String(decoding: reference.uri.scheme, as: UTF8.self)
        )
        return [
            Deviation(
                .portKept,
                "The other side kept the port \(text), which is \(scheme)'s own and is left out of the base string."
            ) { $0.uri.port = port }
        ]
    }

    var schemeDeviations: [Deviation] {
        let (authority, target) = (request.authority, request.target)
        return ["http", "https", "ws", "wss"].map { Array($0.utf8) }.filter { $0 != reference.uri.scheme }.flatMap {
            scheme in
            let text = String(decoding: scheme, as: UTF8.self)
            let request = String(decoding: reference.uri.scheme, as: UTF8.self)
            let sentence =
                "The other side signed the scheme \(text); the request is sent with \(request). (Behind a proxy that ends "
                + "TLS it sees the wrong one.)"
            return [
                Deviation(.scheme, sentence) { $0.uri.scheme = scheme },
                // The port that was the one scheme's own is not the other's.
                Deviation(.scheme, sentence) {
                    $0.uri.scheme = scheme
                    $0.uri.port = RecipeURI(scheme: scheme, authority: authority, target: target).port
                },
            ]
        }
    }

    var hostDeviations: [Deviation] {
        let host = RecipeURI.split(request.authority).host
        let addressed = RecipeURI(scheme: request.scheme, authority: request.addressed, target: request.target)
        return [
            Deviation(.hostCase, "The other side signed the host in the case it is written; it must be lower case.") {
                $0.uri.host = host
            },
            Deviation(
                .host,
                "The other side signed the URL's host, \(String(decoding: request.addressed, as: UTF8.self)); the request "
                    + "goes to the one of the Host field."
            ) {
                $0.uri.host = addressed.host
                $0.uri.port = addressed.port
            },
        ]
    }
}

extension DeviationCatalogue {
    static let slash = UInt8(ascii: "/")

    /// The path of the base string URI, which is taken as it is sent.
    var pathDeviations: [Deviation] {
        spellingDeviations + structureDeviations + fragmentDeviations
    }

    private var fragmentDeviations: [Deviation] {
        let fragment = [UInt8(ascii: "#")] + request.fragment
        if request.fragment.isEmpty { return [] }
        let text = String(decoding: fragment, as: UTF8.self)
        return [
            Deviation(.fragmentInURI, "The other side left \(text) in the URI of the base string; it is never sent.") {
                $0.uri.path += fragment
            },
            Deviation(.fragmentInURI, "The other side took \(text) for a part of the query; it is never sent.") {
                guard let last = $0.parameters.lastIndex(where: { $0.origin == .query }) else { return }
                $0.parameters[last].value += fragment
            },
        ]
    }

    private var spellingDeviations: [Deviation] {
        [
            Deviation(.pathNormalized, "The other side decoded what the path has percent-encoded.") {
                $0.uri.path = PercentEncoding.decodeLeniently($0.uri.path.span)
            },
            Deviation(.pathNormalized, "The other side encoded the path anew; it must stay as it is sent.") {
                let escaping = Escaping(unescaped: [Self.slash])
                $0.uri.path = escaping.escape(PercentEncoding.decodeLeniently($0.uri.path.span))
            },
            Deviation(.doubleEncoding, "The other side percent-encoded the path once too often.") {
                $0.uri.path = Escaping(unescaped: [Self.slash]).escape($0.uri.path)
            },
            Deviation(
                .lowercaseHex,
                "The other side wrote the escapes in the path in lower-case digits (%c3); it sent others (%C3)."
            ) { $0.uri.path = Self.lowercasingEscapes($0.uri.path) },
            Deviation(.pathCase, "The other side signed the path in lower case.") {
                $0.uri.path = $0.uri.path.map(\.lowercasedASCII)
            },
        ]
    }

    private static func lowercasingEscapes(_ path: [UInt8]) -> [UInt8] {
        var path = path
        for index in path.indices where path[index] == UInt8(ascii: "%") {
            for digit in path.index(after: index)..<min(index + 3, path.endIndex) {
                path[digit] = path[digit].lowercasedASCII
            }
        }
        return path
    }

    private var structureDeviations: [Deviation] {
        var deviations = [
            Deviation(.trailingSlash, "The other side signed the path without the slash at its end.") {
                if $0.uri.path.last == Self.slash { $0.uri.path.removeLast() }
            },
            Deviation(.trailingSlash, "The other side signed the path with a slash added at its end.") {
                if $0.uri.path.last != Self.slash { $0.uri.path.append(Self.slash) }
            },
            Deviation(.pathNormalized, "The other side made one slash of several in the path.") { recipe in
                let segments = Self.segments(recipe.uri.path)
                let end: [[UInt8]] = recipe.uri.path.last == Self.slash ? [[]] : []
                recipe.uri.path = Self.path(segments.filter { !$0.isEmpty } + end)
            },
            Deviation(.pathNormalized, "The other side resolved the dots in the path; it must stay as it is sent.") {
                $0.uri.path = Self.withoutDots($0.uri.path)
            },
        ]
        let segments = Self.segments(reference.uri.path)
        for count in 1...3 where count < segments.count {
            let prefix = String(decoding: Self.path(Array(segments[..<count])), as: UTF8.self)
            let sentence =
                "The other side signed the path without \(prefix) in front (a gateway takes it away, or adds it)."
            deviations.append(
                Deviation(.pathPrefix, sentence) { $0.uri.path = Self.path(Array(segments[count...])) }
            )
        }
        let query = request.query
        let sentence = "The other side left the query in the URI of the base string."
        deviations += [
            Deviation(.queryInURI, sentence) { $0.uri.query = query },
            Deviation(.queryInURI, sentence) {
                $0.uri.query = query
                $0.parameters.removeAll { $0.origin == .query }
            },
        ]
        return query.isEmpty ? deviations.dropLast(2) : deviations
    }

    /// Returns what stands behind each slash.
    static func segments(_ path: [UInt8]) -> [[UInt8]] {
        path.split(separator: slash, omittingEmptySubsequences: false).dropFirst().map(Array.init)
    }

    static func path(_ segments: [[UInt8]]) -> [UInt8] {
        segments.flatMap { [slash] + $0 }
    }

    /// RFC 3986, section 5.2.4, for a path that begins with a slash.
    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        let segments = segments(path)
        var kept: [[UInt8]] = []
        for segment in segments {
            if segment == Array("..".utf8) {
                _ = kept.popLast()
            } else if segment != Array(".".utf8) {
                kept.append(segment)
            }
        }
        if let last = segments.last, last == Array(".".utf8) || last == Array("..".utf8) { kept.append([]) }
        return Self.path(kept)
    }
}
