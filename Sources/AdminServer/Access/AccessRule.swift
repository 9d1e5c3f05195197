import Credentials
import HTTPTypes
import Hummingbird
import OAuthSigning
import Settings

/// The rule for who may ask.
///
/// For what is not public: with a token, whoever sends it. Without one the listener is on loopback, and reached by
/// every program of the machine, browsers among them: a page of any site can make its visitor's browser send requests
/// here, directly, or under a name of its own that resolves to 127.0.0.1 (DNS rebinding). So whoever has no token must
/// have come by an address or as localhost, and not from a page of another site. On loopback the same names are asked
/// of who wants what is public, for such a page could read it. Elsewhere the listener is scraped and probed by whatever
/// name a network gives it, and no field tells a page under a foreign name apart from that: browsers send neither
/// Origin nor Sec-Fetch-Site with such a page's GET of clear text. What is public has no secret for this reason.
struct AccessRule: Sendable {
    private let token: Secret?
    private let isLoopback: Bool

    /// - Parameter listener: The listener's settings; nil: nobody asks.
    init(_ listener: AdminListenerSettings?) {
        token = listener?.token
        isLoopback = listener?.isLoopback ?? false
    }

    /// Indicates whether a token is asked for.
    var hasToken: Bool { token != nil }

    /// Refuses a request of which two readers would take different hosts (RFC 9112, section 3.2).
    static func checkHostCount(_ head: HTTPRequest) throws(AdminRefusal) {
        // The first one is the request's authority, and no field any more.
        guard let host = HTTPField.Name("Host"), !head.headerFields.contains(host) else { throw .severalHosts }
    }

    /// Checks the host that a request for what is public names. A request without Host is of no browser.
    func checkHost(_ head: HTTPRequest) throws(AdminRefusal) {
        guard isLoopback, let authority = head.authority else { return }
        guard HostName(authority: authority)?.isAddressOrLocalhost == true else { throw .foreignHost }
    }

    /// - Parameters:
    ///   - address: The address that the request comes from, as far as that is known.
    ///   - tokenGuard: Slows guesses; nil: nobody does.
    func check(_ head: HTTPRequest, from address: String?, _ tokenGuard: (any TokenGuard)?) async throws(AdminRefusal) {
        guard let token else {
            // The configuration is checked before; nobody is to depend on that.
            guard isLoopback else { throw .tokenMissing }
            return try checkSite(head)
        }
        guard let sent = Self.bearerToken(head) else { throw .tokenMissing }
        let isRight: Bool
        do throws(TooManyGuesses) {
            // Secrets are compared in constant time.
            isRight = try await tokenGuard?.check(sent, from: address) { sent == token } ?? (sent == token)
        } catch {
            throw .tooManyGuesses(retryAfter: error.retryAfter)
        }
        guard isRight else { throw .tokenWrong }
    }

    /// Returns the bearer token of the only Authorization field (RFC 6750, section 2.1).
    private static func bearerToken(_ head: HTTPRequest) -> Secret? {
        let values = head.headerFields[values: .authorization]
        guard values.count == 1, let value = values.first, let space = value.firstIndex(of: " "),
            value[..<space].lowercased() == "bearer"
        else { return nil }
        let token = value[space...].drop { $0 == " " }
        return token.isEmpty ? nil : Secret(String(token))
    }

    // MARK: Without a token

    private func checkSite(_ head: HTTPRequest) throws(AdminRefusal) {
        guard let authority = head.authority, HostName(authority: authority)?.isAddressOrLocalhost == true else {
            throw .foreignHost
        }
        let origins = head.headerFields[values: .origin]
        guard origins.allSatisfy({ $0.lowercased() == "http://" + authority.lowercased() }) else {
            throw .foreignOrigin
        }
        // Browsers say it of requests that have no Origin, too: of an image, of a link.
        guard let site = HTTPField.Name("Sec-Fetch-Site"),
            head.headerFields[values: site].allSatisfy({ $0 == "same-origin" || $0 == "none" })
        else { throw .foreignOrigin }
    }
}
