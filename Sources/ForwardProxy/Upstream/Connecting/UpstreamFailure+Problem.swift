import HTTP2Codec
import UpstreamTrust

extension UpstreamFailure {
    /// The answer to the client.
    func problem(authority: String) -> Problem {
        if case .refusedHere(let problem) = self { return problem }
        return answer.problem(authority: authority)
    }

    private static let outcomeIsUnknown = "The request may or may not have been carried out: it is not sent again."

    /// The table of answers.
    var answer: FailureAnswer {
        switch self {
        case .nameNotResolved(let host):
            FailureAnswer(502, .dnsError, .nameNotFound) { _ in
                "The name \(host) does not resolve. Check its spelling and this machine's name servers."
            } reason: {
                "the name \(host) does not resolve."
            }
        case .nameLookupTimeout(let host):
            FailureAnswer(504, .dnsTimeout, .nameNotFound) { _ in
                "The name \(host) did not resolve in time (timeouts.connect). Check this machine's name servers."
            } reason: {
                "the name \(host) did not resolve in time (timeouts.connect)."
            }
        case .tooManyNameLookups(let host):
            FailureAnswer(503, .connectionLimitReached, nil, retryAfter: 1) { _ in
                "The name \(host) was not looked up: as many other names wait to be looked up for the same client as "
                    + "its share of all that may wait. Try again in a second. If that goes on, check this machine's "
                    + "name servers."
            } reason: {
                "the name \(host) was not looked up: too many others wait."
            }
        case .addressDenied(let host, let address):
            FailureAnswer(403, .destinationIPProhibited, .unreachable) { _ in
                "\(host) is at \(address), which is in access.denied_networks. "
                    + "Add it to access.allowed_networks if it must be reached."
            } reason: {
                "\(address) is in access.denied_networks; add it to access.allowed_networks if it is meant."
            }
        case .addressIsPrivate(let host, let address):
            FailureAnswer(403, .destinationIPProhibited, .unreachable) { _ in
                "\(host) is at \(address), an address of this machine or of its own network, and of no API: clients "
                    + "that are listed do not reach it. Add it to access.allowed_networks if they may."
            } reason: {
                "\(address) is of this machine or its own network; add it to access.allowed_networks if it is meant."
            }
        case .ownListener(let host, let address):
            FailureAnswer(403, .destinationIPProhibited, .unreachable) { _ in
                "\(host) is at \(address), where this proxy itself listens: it connects nobody to itself. "
                    + "Send what is meant for it there without a proxy (NO_PROXY)."
            } reason: {
                "this proxy itself listens on \(address)."
            }
        case .refused(let words):
            FailureAnswer(502, .connectionRefused, .unreachable) {
                "\($0) could not be connected to: \(words). Check that the server is up and the port is right."
            } reason: {
                "\(words)."
            }
        case .connectTimeout:
            FailureAnswer(504, .connectionTimeout, .unreachable) {
                "\($0) did not accept a connection in time (timeouts.connect)."
            }
        case .upstreamProxy(let proxy, let failure): failure.answer(proxy: proxy)
        case .handshakeTimeout:
            FailureAnswer(504, .connectionTimeout, .tlsFailed) {
                "\($0) did not finish its TLS handshake in time (timeouts.handshake)."
            }
        case .settingsTimeout:
            FailureAnswer(504, .connectionTimeout, .tlsFailed) {
                "\($0) agreed to speak HTTP/2 and then did not begin to in time: its SETTINGS are missing "
                    + "(timeouts.handshake). \(Self.outcomeIsUnknown) "
                    + "If the server only claims to speak HTTP/2, set http2 of the API to off."
            }
        case .handshake(let words):
            FailureAnswer(502, .tlsProtocolError, .tlsFailed) {
                "The TLS handshake with \($0) failed: \(words). Check that the port speaks TLS, the API's "
                    + "tls.minimum_version and, if the server asks for a certificate, tls.client_certificate."
            }
        case .protocolsRefused:
            FailureAnswer(502, .tlsAlertReceived, .tlsFailed) {
                "\($0) speaks none of the versions of HTTP that it was offered (ALPN). If it speaks HTTP/2 alone, "
                    + "http2.upstreams and http2 of the API must be on; upgrades, such as those to WebSocket, need "
                    + "HTTP/1.1."
            }
        case .clientCertificateRefused(let words):
            FailureAnswer(502, .tlsAlertReceived, .tlsFailed) {
                "\($0) ended the connection with a TLS alert: \(words). "
                    + "Check the API's tls.client_certificate and tls.client_private_key."
            }
        case .brokenTLS(let words):
            FailureAnswer(502, .tlsProtocolError, .tlsFailed) {
                "TLS with \($0) failed before a response was there: \(words). \(Self.outcomeIsUnknown)"
            }
        case .notTrusted(let failure):
            FailureAnswer(502, .tlsCertificateError, .certificateRefused) {
                "Nothing was sent to \($0): \(failure.detail)"
            } summary: {
                "certificate of \($0) not accepted: \(failure.label)"
            }
        case .closed:
            FailureAnswer(502, .connectionTerminated, .noResponse) {
                "\($0) closed the connection before a response was there. \(Self.outcomeIsUnknown)"
            }
        case .streamReset(.refusedStream):
            FailureAnswer(502, .connectionTerminated, .noResponse) {
                "\($0) did not process the request: it refused its HTTP/2 stream (REFUSED_STREAM), and may have "
                    + "too many under way. The request may be sent again, later."
            }
        case .streamReset(let code):
            FailureAnswer(502, .connectionTerminated, .noResponse) {
                "\($0) reset the request's HTTP/2 stream with the code \(code.label). \(Self.outcomeIsUnknown)"
            }
        case .goneAway:
            FailureAnswer(502, .connectionTerminated, .noResponse) {
                "\($0) did not process the request: it was ending its HTTP/2 connection (GOAWAY). The request "
                    + "may be sent again."
            }
        case .malformedResponse(let error):
            FailureAnswer(502, .httpProtocolError, .noResponse) {
                "\($0) answered with something that is no HTTP/1.1 response: \(error)"
            }
        case .malformedStream(let error):
            FailureAnswer(502, .httpProtocolError, .noResponse) {
                "\($0) answered with something that is no HTTP/2 response: \(error)"
            }
        case .malformedConnection(let error):
            FailureAnswer(502, .httpProtocolError, .noResponse) {
                "The HTTP/2 connection to \($0) was ended, for what came was malformed: \(error)"
            }
        case .responseTimeout(let setting):
            FailureAnswer(504, .httpResponseTimeout, .noResponse) {
                "\($0) did not answer in time. If its answers may take longer to begin, as those of long polls do, "
                    + "set \(setting) to a longer time."
            }
        case .requestNotTaken:
            FailureAnswer(504, .httpResponseTimeout, .noResponse) {
                "\($0) took no more of the request, and did not answer either (timeouts.idle)."
            }
        case .responseTooLarge:
            FailureAnswer(502, .httpProtocolError, .noResponse) {
                "\($0) answered with more bytes than a token's answer may have."
            }
        case .requestNotMade:
            FailureAnswer(502, .httpRequestError, nil) {
                "The request for a token could not be sent to \($0): what is to be in its head is too large, or "
                    + "has bytes that no field may have."
            }
        case .refusedHere(let problem): FailureAnswer(problem.status, problem.token, nil) { _ in problem.detail }
        }
    }
}
