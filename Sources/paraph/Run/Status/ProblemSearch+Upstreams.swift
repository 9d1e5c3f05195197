import AdminServer
import Bytes
import Credentials
import ForwardProxy
import FoundationEssentials
import ParaphConfiguration
import UpstreamTrust

// MARK: - Upstreams, and the configuration

extension ProblemSearch {
    /// The hosts that could not be reached, and the accounts that were refused, by the last request of each.
    var upstreams: [StatusProblem] {
        status.apis.flatMap { api -> [StatusProblem] in
            guard let health = health[api.name] else { return [] }
            let refusals = health.refusals.filter { isThere($0.account, of: api.name) }
            return health.troubles.map { problem($0, api: api.name) } + refusals.map { problem($0, api: api.name) }
        }
    }

    /// An account may have gone since, and only some of the enrolled ones are told.
    private func isThere(_ account: String, of api: String) -> Bool {
        status.accountsLeftOut > 0 || status.accounts.contains { $0.api == api && $0.account == account }
    }

    private func problem(_ trouble: UpstreamTrouble, api: String) -> StatusProblem {
        let time = UTCText.format(Date(timeIntervalSince1970: TimeInterval(trouble.time)))
        let message =
            trouble.kind == .pinsReported
            ? "the certificate of \(trouble.authority) fails the pins of apis.\(api), and is used all the same "
                + "(\(time)): \(trouble.sentence)"
            : "no request to \(trouble.authority) of apis.\(api) has succeeded since one failed at \(time): "
                + trouble.sentence
        return StatusProblem(
            trouble.kind == .pinsReported ? .warning : .error,
            StatusProblem.Kind(trouble.kind),
            api: api,
            condensed(message, limit: 1_000),
            remedy: remedy(of: trouble, api: api)
        )
    }

    private func remedy(of trouble: UpstreamTrouble, api: String) -> String {
        switch trouble.kind {
        case .certificateRefused, .pinsReported:
            "paraph pins \(option) \(shellQuoted(trouble.authority))   # shows its chain; then see to apis.\(api).tls, or to who "
                + "keeps that server"
        case .nameNotFound, .unreachable, .tlsFailed:
            "paraph doctor \(option)   # looks at the API's names, certificates and pins; the next request that "
                + "succeeds ends this"
        case .noResponse: "see to that server; the next request that succeeds ends this"
        }
    }

    private func problem(_ refusal: RefusalTrouble, api: String) -> StatusProblem {
        let name = CredentialName(api: api, account: refusal.account)
        let time = UTCText.format(Date(timeIntervalSince1970: TimeInterval(refusal.time)))
        return StatusProblem(
            .error,
            .providerRefuses,
            api: api,
            account: refusal.account,
            condensed(
                "the provider refused the last request of account \(name), with status \(refusal.status) at \(time): "
                    + refusal.sentence,
                limit: 1_000
            ),
            remedy: "see to what the sentence above says; the account's next request that succeeds ends this"
        )
    }

    // MARK: The configuration

    /// The findings of `paraph check`, but for ends of certificates and pins that are told already.
    func findings(besides told: [StatusProblem]) -> [StatusProblem] {
        advice.filter { !isTold($0, in: told) }.map { advice in
            StatusProblem(
                advice.severity == .error ? .error : .warning,
                .configuration,
                "\(status.configuration.file):\(advice.position.line):\(advice.position.column): \(advice.message)",
                remedy: "correct that in the file; paraph check \(option)   # says whether it is"
            )
        }
    }

    private func isTold(_ advice: Advice, in told: [StatusProblem]) -> Bool {
        let setting = advice.message.prefix { $0 != " " }
        return told.contains { problem in
            let section = "apis.\(problem.api ?? "")."
            return switch problem.kind {
            case .listenerCertificateExpires: setting == "listen.proxy.certificate"
            case .clientCertificateExpires: setting.hasPrefix(section) && setting.hasSuffix(".client_certificate")
            case .pinsExpire: setting.hasPrefix(section) && setting.hasSuffix(".expires")
            default: false
            }
        }
    }
}

extension StatusProblem.Kind {
    fileprivate init(_ kind: UpstreamTrouble.Kind) {
        self =
            switch kind {
            case .certificateRefused: .certificateRefused
            case .pinsReported: .pinsReported
            case .nameNotFound: .nameNotFound
            case .unreachable: .upstreamUnreachable
            case .tlsFailed: .tlsFailed
            case .noResponse: .noResponse
            }
    }
}
