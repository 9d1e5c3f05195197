import Bytes
import Credentials
import OAuthSigning
import Routing

/// Reads the addresses of an API's exchanges: its own hosts, for the secrets of an exchange are for them.
struct ExchangeAddresses {
    let route: APIRoute
    let preset: Preset?

    /// Returns what is written for a key, or else what the preset has for it. Reports what is missing or leads
    /// elsewhere.
    func url(_ key: String, of section: Section, preset address: PresetAddress?) -> String? {
        if let value = section[key] { return url(value) }
        guard let made = filled(key, of: section, address) else { return nil }
        guard let url = ExchangeURL(made), leadsToOwnHost(url) else {
            section.value.reportAtKey(
                "lacks \(key): the preset's, \(made), leads to none of this API's hosts; write your own, or add its host to "
                    + "apis.\(ShownName.api(route.name)).hosts"
            )
            return nil
        }
        return made
    }

    /// Returns what `url` does, but of an address that only a browser goes to, whose host may be any.
    func browserURL(_ key: String, of section: Section, preset address: PresetAddress?) -> String? {
        guard let value = section[key] else { return filled(key, of: section, address) }
        guard let text = value.word() else { return nil }
        guard let url = ExchangeURL(text) else {
            value.report("is not a URL like https://www.example.com/oauth/authorize (no user name, no #, no blanks)")
            return nil
        }
        guard url.scheme == .https || route.upstreamScheme == .http else {
            value.report("must start with https://, for a person's password is typed there")
            return nil
        }
        return text
    }

    /// Returns what is written as an address of an exchange. The URL itself is never printed: it may carry a password.
    func url(_ value: Value) -> String? {
        guard let text = value.word() else { return nil }
        guard let url = ExchangeURL(text) else {
            value.report(
                "is not a URL like https://api.example.com/oauth/request_token (no user name, no #, no blanks)"
            )
            return nil
        }
        guard url.scheme == .https || route.upstreamScheme == .http else {
            value.report("must start with https://, for secrets travel there")
            return nil
        }
        guard url.scheme == route.upstreamScheme else {
            value.report(
                "must start with http://, since an exchange goes the way that requests go, and "
                    + "apis.\(ShownName.api(route.name)).upstream is http; leave that out for https"
            )
            return nil
        }
        do {
            let authority = try Authority(parsing: url.authority, defaultPort: url.scheme.defaultPort)
            guard matches(authority, url) else {
                value.report(
                    "leads to \(shown(authority.description)), which is none of this API's hosts; its secrets go to no "
                        + "other host. Add it to apis.\(ShownName.api(route.name)).hosts if it belongs there"
                )
                return nil
            }
        } catch {
            value.report("leads to a host that \(error)")
            return nil
        }
        return text
    }

    private func filled(_ key: String, of section: Section, _ address: PresetAddress?) -> String? {
        guard let address else {
            section.value.reportAtKey("lacks \(key)\(preset.map { "; the preset \($0.name) has none" } ?? "")")
            return nil
        }
        guard let made = address.url(firstHost: route.hosts.first, scheme: route.upstreamScheme) else {
            section.value.reportAtKey(
                "lacks \(key): the preset would make it from the API's first host, which is not like "
                    + "\(preset?.hosts.first ?? preset?.hostExample ?? "one of the provider's")"
            )
            return nil
        }
        return made
    }

    private func leadsToOwnHost(_ url: ExchangeURL) -> Bool {
        guard let authority = try? Authority(parsing: url.authority, defaultPort: url.scheme.defaultPort) else {
            return false
        }
        return matches(authority, url)
    }

    private func matches(_ authority: Authority, _ url: ExchangeURL) -> Bool {
        route.hosts.contains { $0.matches(authority, scheme: url.scheme) }
    }
}
