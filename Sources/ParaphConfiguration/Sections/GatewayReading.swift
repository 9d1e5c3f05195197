import Bytes
import Routing
import Settings

/// `apis.NAME.gateway`: `HOST:PORT`, a mapping with it, or `off`.
struct GatewayReading {
    /// The settings of the gateway; nil when there is none, or a mistake was reported.
    let settings: GatewaySettings?
    private let addressValue: Value?

    init(_ section: Section, firstHost: (pattern: HostPattern, value: Value)?) {
        guard let value = section["gateway"], !value.isNull else {
            settings = nil
            addressValue = nil
            return
        }
        let reading = value.gateway()
        settings = reading?.settings
        addressValue = reading?.address
        if let firstHost, case .wildcard = firstHost.pattern.name, reading != nil {
            firstHost.value.report("stands first, where the gateway needs a host to send requests to: begin with one")
        }
    }

    /// - Parameters:
    ///   - isOpen: Whether whoever reaches the listener may use it, which then has to be on loopback.
    ///   - others: The listeners there are already, each with its name.
    func check(isOpen: Bool, others: inout [(name: String, address: ListenAddress)], api: String) {
        guard let settings, let addressValue else { return }
        let address = settings.address
        if !address.isLoopback {
            if isOpen {
                addressValue.report(ListenReading.openListener)
            } else {
                addressValue.advise(
                    .warning,
                    "takes passwords in clear text, which whoever is on the way can read; let nobody but a trusted "
                        + "network reach it, or listen on 127.0.0.1"
                )
            }
        }
        if let other = others.first(where: { $0.address.clashes(with: address) }) {
            addressValue.report("is the address of \(other.name) too (\(other.address)); give each its own port")
        }
        others.append(("apis.\(ShownName.api(api)).gateway", address))
    }
}

extension Value {
    fileprivate func gateway() -> (settings: GatewaySettings, address: Value)? {
        if let isOn = scalar.flatMap(Value.switchState) {
            if isOn { report("must be an address, like 127.0.0.1:9001, or off") }
            return nil
        }
        guard isMapping else { return listenAddress().map { (GatewaySettings(address: $0), self) } }
        guard let section = section() else { return nil }
        let listen = section.required("listen")
        let mapsResponses = section["map_responses"]?.isOn()
        let hosts = section["hosts"].flatMap { $0.isNull ? nil : $0.gatewayHosts() }
        section.finish()
        guard let listen, let address = listen.listenAddress() else { return nil }
        return (
            GatewaySettings(address: address, mapsResponses: mapsResponses ?? true, hosts: hosts ?? []), listen
        )
    }

    private func gatewayHosts() -> [String]? {
        items()?.compactMap { item in
            guard let text = item.word() else { return nil }
            // No port can be 0, so 0 tells that none was written.
            guard let authority = try? Authority(parsing: text, defaultPort: 0), authority.port == 0 else {
                item.report("must be a name or an address that clients use for the gateway, without a port")
                return nil
            }
            return authority.host
        }
    }
}
