import Bytes
import OAuthSigning

// Host, port and scheme as frameworks, gateways and libraries write or see them.
extension DeviationCatalogue {
    var hostNameDeviations: [Deviation] {
        labelDeviations + portSpellingDeviations + extentDeviations + internationalDeviations
    }

    private var host: String { reference.uri.host.text }

    private var labelDeviations: [Deviation] {
        let host = host
        var deviations: [Deviation] = []
        func add(_ cause: ComparisonCause, _ other: String, _ words: String, isRare: Bool = true) {
            let sentence = "The other side signed the host \(other), \(words); the request goes to \(host)."
            deviations.append(
                Deviation(cause, sentence) { $0.uri.host = other.bytes }.of(.host, isRare: isRare)
            )
        }
        let labels = [
            "www.", "api.", "m.", "secure.", "sandbox.", "staging.", "test.", "dev.", "app.", "oauth.", "rest.",
        ]
        for (index, label) in labels.enumerated() {
            if host.hasPrefix(label) {
                add(.hostLabel, String(host.dropFirst(label.count)), "without \(label) in front", isRare: index > 0)
            } else {
                add(.hostLabel, label + host, "with \(label) in front", isRare: index > 0)
            }
        }
        if let dot = host.firstIndex(of: "."), host.contains(where: \.isLetter) {
            add(.hostLabel, String(host[host.index(after: dot)...]), "without its first label")
            add(.hostLabel, String(host[..<dot]), "its first label alone")
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            add(.hostLabel, String(host.dropFirst().dropLast()), "without the brackets of an IPv6 address")
        }
        if host.hasSuffix(".") {
            add(.hostDot, String(host.dropLast()), "without the dot at its end", isRare: false)
        } else {
            add(.hostDot, host + ".", "with a dot at its end", isRare: false)
        }
        add(.hostCase, host.uppercased(), "in upper case")
        let written = RecipeURI.split(request.authority).host.text
        if written.contains("I") {
            let turkish = written.replacing("I", with: "\u{131}").lowercased()
            add(.hostCase, turkish, "in lower case by the rules of Turkish, a locale where I becomes a dotless i")
        }
        return deviations
    }

    private var portSpellingDeviations: [Deviation] {
        let (scheme, own) = (reference.uri.scheme.text, reference.uri.port?.text)
        func port(_ port: String, _ words: String, isRare: Bool = true) -> Deviation {
            Deviation(
                .portKept,
                "The other side signed the port \(words); the request has \(own.map { "the port \($0)" } ?? "none")."
            ) {
                $0.uri.port = port.bytes
            }
            .of(.host, isRare: isRare)
        }
        let odd = [
            port("-1", "-1, which Java's URI and URL give where there is none", isRare: false),
            port("0", "0, which stands for none in some libraries", isRare: false),
            port("", "as a colon without digits behind the host", isRare: false),
            port("null", "null, which stands for none in some languages"),
            port("undefined", "undefined, JavaScript's for none"),
            port("None", "None, Python's for none"), port("nil", "nil, for none"), port("(null)", "(null), for none"),
        ]
        let usual = ["443", "80", "8080", "8443", "3000", "5000", "8000", "8888", "9000", "4000", "8081", "9443"]
        return odd
            + usual.filter { $0 != own }.map {
                port($0, "\($0), which a server behind a gateway or another listener has")
            }
            + (scheme == "https"
                ? usual.filter { $0 != "443" }.map { number in
                    Deviation(
                        .portKept,
                        "The other side signed http and the port \(number), as the server behind a gateway sees it."
                    ) {
                        $0.uri.scheme = "http".bytes
                        $0.uri.port = number.bytes
                    }
                    .of(.host, isRare: true)
                } : [])
    }

    /// Parts of the URI that are missing, and user information, which is never sent.
    private var extentDeviations: [Deviation] {
        let (query, information) = (request.query, request.userInformation)
        func uri(
            _ cause: ComparisonCause,
            _ words: String,
            isRare: Bool = true,
            _ change: @escaping @Sendable (inout RecipeURI) -> Void
        )
            -> Deviation
        {
            Deviation(cause, "The other side signed \(words); the URI is scheme, host and path.") { change(&$0.uri) }
                .of(.host, isRare: isRare)
        }
        var deviations = [
            uri(.schemeMissing, "host and path without the scheme", isRare: false) { $0.extent = .withoutScheme },
            uri(.pathOnly, "the path only, without scheme and host", isRare: false) { $0.extent = .pathOnly },
            uri(.schemeMissing, "// and host without the scheme's name") { $0.extent = .withoutSchemeName },
            uri(.pathMissing, "scheme and host without the path", isRare: false) { $0.path = [] },
            uri(.pathMissing, "scheme and host with a slash in place of the path") { $0.path = "/".bytes },
            uri(.pathMissing, "the host alone, without scheme and path") {
                $0.extent = .withoutScheme
                $0.path = []
            },
            uri(.pathMissing, "nothing in place of the URI, neither host nor path") {
                $0.extent = .pathOnly
                $0.path = []
            },
            uri(.pathOnly, "the path only, without the slash at its beginning, and no host") {
                $0.extent = .pathOnly
                $0.path = Array($0.path.drop { $0 == UInt8(ascii: "/") })
            },
            uri(.pathOnly, "the path only, without the host, and null for it") { $0.host = "null".bytes },
            uri(.pathOnly, "the path only, without the host, and undefined for it") { $0.host = "undefined".bytes },
            uri(.pathOnly, "scheme and path only, without the host") {
                $0.host = []
                $0.port = nil
            },
            uri(.scheme, "the scheme in upper case") { $0.scheme = $0.scheme.map(\.uppercasedASCII) },
            uri(.scheme, "the scheme undefined") { $0.scheme = "undefined".bytes },
            uri(.scheme, "the scheme null") { $0.scheme = "null".bytes },
            uri(.queryInURI, "the URI with a ? at its end, and no query behind it") { $0.query = [] },
            uri(.pathOnly, "the whole URI behind the host once more, as a request to a proxy has it in the path") {
                $0.path = $0.bytes
            },
        ]
        if !query.isEmpty {
            for keepsParameters in [true, false] {
                for extent in [RecipeURI.Extent.pathOnly, .withoutScheme] {
                    let sentence =
                        "The other side signed \(extent == .pathOnly ? "the request-target, path and query only, without" : "path and query behind") "
                        + "the host; the URI is scheme, host and path."
                    deviations.append(
                        Deviation(.pathOnly, sentence) { recipe in
                            recipe.uri.extent = extent
                            recipe.uri.query = query
                            if !keepsParameters { recipe.parameters.removeAll { $0.origin == .query } }
                        }
                        .of(.host, isRare: true)
                    )
                }
            }
        }
        if let information {
            deviations.append(
                uri(
                    .userInformation,
                    "the user information (name and password before the @) of the URL, which is never sent"
                ) {
                    $0.userInformation = information + "@".bytes
                }
            )
            deviations.append(
                uri(.userInformation, "the name of the user before the host (user information), which is never sent") {
                    $0.userInformation = Array(information.prefix { $0 != UInt8(ascii: ":") }) + "@".bytes
                }
            )
        }
        return deviations
    }

    /// The forms of an internationalized host (IDN).
    private var internationalDeviations: [Deviation] {
        let host = host
        let unicode = Punycode.unicode(host: host)
        let ascii = Punycode.ascii(host: host)
        func idn(_ other: [UInt8], _ words: String) -> Deviation {
            Deviation(
                .internationalHost,
                "The other side signed the international host (IDN) \(words); the request has \(host)."
            ) {
                $0.uri.host = other
            }
            .of(.host, isRare: true)
        }
        return [
            idn(unicode.bytes, "in Unicode, \(unicode), and not as xn--"),
            idn(PercentEncoding.encode(unicode.bytes), "percent-encoded, and not as xn--"),
            idn(ascii.bytes, "as \(ascii) (xn--)"),
            idn(PercentEncoding.decodeLeniently(host.bytes.span), "in Unicode, percent-decoded"),
            idn(CodePage.latin1.encode(unicode) ?? unicode.bytes, "in ISO-8859-1 (Unicode), and not as xn--"),
        ]
    }

    /// The names under which a gateway asks a server.
    var innerHostDeviations: [Deviation] {
        let hosts = [
            "localhost", "127.0.0.1", "[::1]", "0.0.0.0", "host.docker.internal", "backend", "app", "web", "api",
            "upstream",
            "server", "nginx",
        ]
        let ownPort = reference.uri.port?.text
        let ports: [String?] = [nil, "8080", "80", "3000", "8000", "5000", "8443", "9000", "443", "8081", ownPort]
        let own = reference.uri.scheme.text
        return hosts.filter { $0 != host }.flatMap { other in
            (own == "https" ? ["http", "https"] : ["http"]).flatMap { scheme in
                ports.map { port in
                    let text = "\(scheme)://\(other)\(port.map { ":" + $0 } ?? "")"
                    let sentence =
                        "The other side signed the host as a server behind a gateway sees it, \(text); the client calls \(host)."
                    return Deviation(.host, sentence) {
                        $0.uri.scheme = scheme.bytes
                        $0.uri.host = other.bytes
                        $0.uri.port = port?.bytes
                    }
                    .of(.host, isRare: true)
                }
            }
        }
    }
}
