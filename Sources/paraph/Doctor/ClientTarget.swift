import ArgumentParser
import ParaphConfiguration
import Routing
import Settings

/// The target that the clients ask for.
struct ClientTarget: Sendable {
    let url: String
    let authority: Authority

    /// - Parameter url: The URL as the user gave it; nil: something of the first API that has a host by name.
    /// - Throws: The exit code for wrong usage, after the sentence with the reason is printed.
    init(_ url: String?, in configuration: Configuration) throws(ExitCode) {
        guard let url else {
            guard let found = Self.first(in: configuration) else {
                StandardError.print("paraph: every configured host is a wildcard; say which one to ask with --url")
                throw .validationFailure
            }
            self = found
            return
        }
        let prefix = "https://"
        let rest = url.dropFirst(prefix.count)
        let name = rest.prefix { $0 != "/" && $0 != "?" }
        guard url.hasPrefix(prefix), url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            let authority = try? Authority(parsing: String(name), defaultPort: 443),
            configuration.proxy.router.apis.route(for: authority) != nil
        else {
            StandardError.print(
                "paraph: --url \(ShownURL(url).text): it has to be an https URL of a configured API, without a user's name"
            )
            throw .validationFailure
        }
        self.url = url
        self.authority = authority
    }

    private init(url: String, authority: Authority) {
        self.url = url
        self.authority = authority
    }

    private static func first(in configuration: Configuration) -> ClientTarget? {
        for api in configuration.proxy.apis {
            guard let first = api.route.exactHosts.first else { continue }
            // Intercepted over TLS, whatever its upstream is reached by.
            let server = first.port == 80 ? first.with(port: 443) : first
            let path = api.route.paths?.first ?? "/"
            return ClientTarget(url: "https://\(server.fieldValue(defaultPort: 443))\(path)", authority: server)
        }
        return nil
    }
}
