import Credentials
import Routing

extension Configuration {
    /// One line that says what the file configures.
    package var summary: String {
        let accounts = apis.reduce(0) { $0 + $1.accounts.count }
        let access = router.access
        let clients = access.clients.isEmpty ? "no clients listed" : count(access.clients.count, "client")
        let listeners = [
            "proxy on \(listen.proxy)",
            listen.admin.map { "admin on \($0)" } ?? "admin off",
        ]
        let gateways = apis.compactMap { api in api.gateway.map { "gateway of \(api.name) on \($0.address)" } }
        let enrolled = enrolment.map { settings in
            let names = settings.targets.sorted { $0.key.rawValue < $1.key.rawValue }.map { apis[$0.value.api].name }
            return ", enrolment into \(names.joined(separator: ", "))"
        }
        let off = switchedOff.isEmpty ? "" : "; \(switchedOff.joined(separator: "; "))"
        return "\(file): good: \(count(apis.count, "API")), \(count(accounts, "account")), \(clients), "
            + "\((listeners + gateways).joined(separator: ", "))\(enrolled ?? "")\(off)"
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
