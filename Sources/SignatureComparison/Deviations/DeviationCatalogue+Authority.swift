import OAuthSigning

extension DeviationCatalogue {
    /// Scheme, host and port (RFC 5849, section 3.4.1.2).
    var authorityDeviations: [Deviation] {
        portDeviations + schemeDeviations + hostDeviations
    }

    private var portDeviations: [Deviation] {
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
        let own = reference.uri.scheme.span.defaultPort.map { Array(String($0).utf8) }
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

    private var schemeDeviations: [Deviation] {
        let (authority, target) = (request.authority, request.target)
        return ["http", "https"].map { Array($0.utf8) }.filter { $0 != reference.uri.scheme }.flatMap { scheme in
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

    private var hostDeviations: [Deviation] {
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
