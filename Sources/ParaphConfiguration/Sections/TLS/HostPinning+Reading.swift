import FoundationEssentials
import Routing
import UpstreamTrust

extension HostPinning {
    private enum Mode: String, CaseIterable {
        case publicKey = "public_key"
        case certificate
        case none
    }

    /// One mapping of `pinning`; `nil` when a mistake was reported.
    /// - Parameter hosts: The hosts that its key `hosts` names, which has been read.
    static func read(_ section: Section, hosts: [HostPattern]) -> HostPinning? {
        let modeValue = section["mode"]
        let keys = ["pins", "certificates", "applies_to", "on_failure", "expires", "on_expiry"]
        let given = keys.compactMap { key in section[key].flatMap { $0.isNull ? nil : (key, $0) } }
        section.finish()
        let values = Dictionary(uniqueKeysWithValues: given)
        if modeValue == nil {
            section.value.reportAtKey(
                "lacks mode: public_key (pins of keys), certificate (pins of whole certificates) or none"
            )
        }
        let mode = modeValue?.choice(of: Mode.self)
        if mode == Mode.none {
            for (_, value) in given {
                value.reportAtKey(
                    "is of no use beside mode: none, which accepts every valid chain; remove it, or set mode to "
                        + "public_key or certificate"
                )
            }
            return HostPinning(hosts: hosts, policy: nil)
        }
        // What else is wrong is told also where the mode is.
        var policy = PinningPolicy(mode: mode == .certificate ? .certificate : .publicKey, pins: [])
        values["applies_to"]?.choice(of: PinPosition.self).map { policy.appliesTo = $0 }
        values["on_failure"]?.choice(of: PinFailureAction.self).map { policy.onFailure = $0 }
        values["on_expiry"]?.choice(of: PinFailureAction.self).map { policy.onExpiry = $0 }
        policy.expires = values["expires"]?.endOfDay()
        checkExpiry(policy, values)
        if let onFailure = values["on_failure"], policy.onFailure == .report {
            onFailure.advise(
                .warning,
                "is report: a server without one of the pins is logged and counted, and requests are sent to it"
            )
        }
        guard mode != nil || !given.isEmpty else { return nil }
        guard values["pins"] != nil || values["certificates"] != nil else {
            section.value.reportAtKey(
                "lacks pins; list at least two, or name PEM files under certificates, or set mode: none"
            )
            return nil
        }
        let reading = PinsReading(mode: policy.mode, refuses: policy.onFailure == .refuse)
        guard let pins = reading.read(pins: values["pins"], certificates: values["certificates"]) else { return nil }
        policy.pins = pins
        if mode == nil { return nil }
        return HostPinning(hosts: hosts, policy: policy)
    }

    private static func checkExpiry(_ policy: PinningPolicy, _ values: [String: Value]) {
        if let onExpiry = values["on_expiry"] {
            if values["expires"] == nil {
                onExpiry.reportAtKey("is of no use without expires, a date like 2031-06-01")
            } else if policy.onFailure == .report {
                onExpiry.reportAtKey("is of no use beside on_failure: report, which never refuses")
            }
        }
        guard let expires = policy.expires, let value = values["expires"] else { return }
        let days = Int((expires.timeIntervalSince(value.context.now) / 86_400).rounded(.down))
        guard days < 30 else { return }
        let when =
            switch days {
            case ..<0: "has passed"
            case 0: "is today"
            case 1: "is tomorrow"
            default: "is in \(days) days"
            }
        let consequence =
            switch (policy.onFailure, policy.onExpiry) {
            case (.report, _): ""
            case (.refuse, .refuse): "; the pins stay in force (on_expiry: refuse)"
            case (.refuse, .report):
                "; after that day a server without one of the pins is reported and not refused (on_expiry: report)"
            }
        value.advise(.warning, "\(when)\(consequence). See whether the pins are still right, and set a later day")
    }
}
