import Routing

/// The keys of every section. They are words of this program, so that a message may repeat them wherever they stand.
enum SettingWords {
    /// A section, whose names of a user's choice are called `NAME`, with its keys.
    static let sections: [(name: String, keys: [String])] = [
        (
            "",
            [
                "access", "apis", "authority", "enrolment", "http2", "inspector", "limits", "listen", "log", "metrics",
                "state", "timeouts", "tracing", "upstream_proxy", "vault",
            ]
        ),
        ("listen", ["proxy", "admin"]),
        ("listen.proxy", ["address", "certificate", "private_key"]),
        ("listen.admin", ["address", "token"]),
        ("authority", ["certificate", "private_key", "shared"]),
        ("vault", ["directory", "etcd", "key"]),
        ("vault.etcd", ["endpoints", "prefix", "trust", "certificate", "private_key", "username", "password"]),
        ("access", ["clients", "other_hosts", "denied_networks", "allowed_networks", "connect_ports"]),
        ("access.clients", ["name", "password", "apis", "accounts"]),
        ("access.other_hosts", ["allow", "else"]),
        (
            "apis.NAME",
            [
                "hosts", "connect_to", "upstream", "paths", "methods", "upstream_proxy", "http2", "requests", "preset",
                "gateway", "oauth1", "oauth2", "bearer", "accounts", "signing", "timeouts", "tls",
            ]
        ),
        ("apis.NAME.gateway", ["listen", "map_responses", "hosts"]),
        (
            "apis.NAME.oauth1",
            [
                "consumer_key", "consumer_secret", "signature_method", "realm", "body_hash", "placement", "empty_token",
                "include_version", "timestamp", "clock_correction", "private_key",
            ]
        ),
        (
            "apis.NAME.oauth2",
            ["token_url", "client_id", "client_secret", "header", "grant_type", "client_authentication", "scope"]
        ),
        ("apis.NAME.bearer", ["header"]),
        ("apis.NAME.accounts", [Account.defaultName]),
        (
            "apis.NAME.accounts.NAME",
            [
                "token", "token_secret", "two_legged", "three_legged", "reverse_auth", "xauth", "password", "oauth1",
            ]
        ),
        ("apis.NAME.accounts.NAME.reverse_auth", ["request_token_url", "access_token_url", "signed_as"]),
        (
            "apis.NAME.accounts.NAME.reverse_auth.signed_as",
            ["consumer_key", "consumer_secret", "token", "token_secret"]
        ),
        ("apis.NAME.accounts.NAME.xauth", ["access_token_url", "username", "password"]),
        (
            "apis.NAME.accounts.NAME.three_legged",
            [
                "request_token_url", "authorize_url", "access_token_url", "callback", "authorize_parameters", "version",
            ]
        ),
        ("apis.NAME.accounts.NAME.password", ["username", "password"]),
        ("apis.NAME.signing", ["max_body", "on_existing_authorization"]),
        ("apis.NAME.timeouts", ["response_header"]),
        (
            "apis.NAME.tls",
            [
                "minimum_version", "trust", "verify_hostname", "client_certificate", "client_private_key", "pinning",
                "revocation",
            ]
        ),
        (
            "apis.NAME.tls.pinning",
            ["hosts", "mode", "pins", "certificates", "applies_to", "on_failure", "expires", "on_expiry"]
        ),
        ("apis.NAME.tls.revocation", ["crls", "on_missing"]),
        ("enrolment", ["token", "access_types"]),
        ("enrolment.access_types.NAME", ["api", "verify_url", "id"]),
        ("upstream_proxy", ["url", "username", "password", "trust"]),
        ("http2", ["clients", "upstreams"]),
        (
            "limits",
            [
                "connections", "upstream_per_client", "tunnels_per_client", "collected", "requests_per_client",
                "requests_per_api", "header", "pooled_per_host", "exchange_waiters",
            ]
        ),
        (
            "timeouts",
            [
                "connect", "handshake", "request_header", "response_header", "token", "idle", "connection_age", "drain",
            ]
        ),
        ("metrics", ["accounts"]),
        ("inspector", ["keep"]),
        ("log", ["level", "format", "query", "file"]),
        ("tracing", ["otlp"]),
    ]

    /// Words that other programs and providers' pages have for a key.
    static let synonyms = [
        "access_token": "token", "access_token_secret": "token_secret", "access_secret": "token_secret",
        "api_key": "consumer_key", "api_secret": "consumer_secret", "api_key_secret": "consumer_secret",
        "app_key": "consumer_key", "app_secret": "consumer_secret", "application_key": "consumer_key",
        "oauth_consumer_key": "consumer_key", "oauth_consumer_secret": "consumer_secret",
        "oauth_signature_method": "signature_method", "oauth_token": "token", "oauth_token_secret": "token_secret",
        "bearer_token": "token", "allowed_hosts": "hosts", "domains": "hosts", "domain": "hosts", "ca": "trust",
        "ca_file": "trust", "cafile": "trust", "cert": "certificate", "user": "username", "user_name": "username",
        "login": "username", "pass": "password", "loglevel": "level", "log_level": "level", "verbosity": "level",
        "rsa_key": "private_key",
    ]

    /// Sentences on words for which there is no key.
    static let remarks: [String: String] = {
        let noVerification =
            "nothing switches off all verification: a private root is named under tls.trust, and a server of "
            + "another name by connect_to"
        let reference =
            "it is a part of a secret, {%: …}: indent it below the setting whose value it is, or write "
            + "it behind"
        return [
            "<<": "anchors are not merged here; write what is meant out in full",
            "port": "an address is written with its port, like listen: {proxy: 127.0.0.1:8080}",
            "env": reference.replacing("%", with: "env"), "file": reference.replacing("%", with: "file"),
            "insecure": noVerification, "insecure_skip_verify": noVerification, "skip_verify": noVerification,
            "ssl_verify": noVerification, "verify_ssl": noVerification, "tls_verify": noVerification,
        ]
    }()

    private static let sectionsByKey = Dictionary(
        grouping: sections.flatMap { section in
            section.keys.map { (key: $0, section: section.name) }
        },
        by: \.key
    ).mapValues { $0.map(\.section) }

    /// The words that the keys are made of, like `secret`.
    private static let parts = Set(sectionsByKey.keys.flatMap { $0.split(separator: "_").map(String.init) })

    /// Returns the keys of a section; nil where there is none of that name.
    static func keys(of section: String) -> [String]? { sections.first { $0.name == section }?.keys }

    /// Returns whether the word is a key of the file, wherever it stands.
    static func isKey(_ word: String) -> Bool { sectionsByKey[word] != nil }

    /// Returns the key of a section that a word is the end or the beginning of, like `secret` of `consumer_secret`;
    /// nil where there is none, or several. Of a word that is a key elsewhere it is only that of the client's own.
    static func key(of known: some Sequence<String>, with part: String) -> String? {
        if isKey(part) { return known.first { $0 == "client_\(part)" } }
        guard parts.contains(part) else { return nil }
        let meant = known.filter { $0.hasSuffix("_\(part)") || $0.hasPrefix("\(part)_") }
        return meant.count == 1 ? meant[0] : nil
    }

    /// Returns the sections that have a key, those only that are nearest to a section.
    static func sections(of key: String, near section: String) -> [String] {
        let all = sectionsByKey[key] ?? []
        let own = section.split(separator: ".")
        let ranked = all.map { name in
            let steps = name.split(separator: ".")
            let shared = zip(steps, own).prefix { $0 == $1 }.count
            return (name: name, shared: shared, distance: steps.count - shared)
        }
        guard let most = ranked.map(\.shared).max() else { return [] }
        let nearest = ranked.filter { $0.shared == most }
        let distance = nearest.map(\.distance).min()
        return nearest.filter { $0.distance == distance }.map(\.name)
    }
}
