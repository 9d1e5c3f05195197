import UpstreamTrust
import X509

extension TLSPolicy {
    /// `tls`; `nil` when a mistake was reported.
    static func read(_ section: Section) -> TLSPolicy {
        var policy = TLSPolicy()
        defer { section.finish() }
        section["minimum_version"]?.tlsVersion().map { policy.minimumVersion = $0 }
        section["trust"]?.trustRoots().map { policy.trust = $0 }
        section["verify_hostname"]?.isOn().map { policy.verifiesHostname = $0 }
        policy.pinning = section.section("pinning").flatMap(PinningPolicy.read).map { [HostPinning(policy: $0)] } ?? []
        return policy
    }
}

extension PinningPolicy {
    private enum Mode: String, CaseIterable {
        case publicKey = "public_key"
        case certificate
        case none
    }

    /// `pinning`; `nil` when nothing is pinned, or a mistake was reported.
    static func read(_ section: Section) -> PinningPolicy? {
        let mode = section["mode"].map { $0.choice(of: Mode.self) } ?? .publicKey
        let value = section["pins"]
        section.finish()
        let pins = value.flatMap { $0.isNull ? [] : $0.pins() }
        guard let mode, let policyMode = PinningMode(rawValue: mode.rawValue) else { return nil }
        guard let pins else {
            if value == nil { section.value.reportAtKey("lacks pins; list at least two, or set mode: none") }
            return nil
        }
        if pins.count < 2 {
            (value ?? section.value).reportAtKey(
                "must list at least two pins, one of them of a key kept in reserve: with one, the day it changes cuts the "
                    + "API off"
            )
        }
        return PinningPolicy(mode: policyMode, pins: pins)
    }
}

extension Value {
    fileprivate func tlsVersion() -> TLSVersion? {
        guard let text = text() else { return nil }
        guard let version = TLSVersion(rawValue: text) else {
            report(
                "must be \(alternatives(TLSVersion.allCases.map { "\"\($0.rawValue)\"" })); older versions are never spoken"
            )
            return nil
        }
        return version
    }

    /// `nil` when the list or one of its items is no list of pins.
    fileprivate func pins() -> [Pin]? {
        guard let items = items() else { return nil }
        var pins: [Pin] = []
        var isWhole = true
        for item in items {
            guard let text = item.text() else {
                isWhole = false
                continue
            }
            do {
                let pin = try Pin(validating: text)
                if pins.contains(pin) {
                    item.report("is listed already")
                    isWhole = false
                }
                pins.append(pin)
            } catch {
                item.report("is wrong: \(error)")
                isWhole = false
            }
        }
        return isWhole ? pins : nil
    }

    /// `system`, or a list of PEM files.
    fileprivate func trustRoots() -> TrustRoots? {
        if scalar == "system" { return .system }
        guard isList, let items = items() else {
            report("must be system or a list of PEM files")
            return nil
        }
        if items.isEmpty { report("is an empty list, which trusts nobody; list PEM files or write system") }
        return .certificates(items.flatMap { $0.certificates() })
    }

    private func certificates() -> [Certificate] {
        guard let name = word() else { return [] }
        let path = context.resolve(name)
        do throws(FileContents.Failure) {
            let octets = try FileContents.read(path, limit: 4 << 20)
            do {
                return try PEMCertificates.parse(String(decoding: octets, as: UTF8.self))
            } catch {
                report("names the file \(shown(path: path)): \(error)")
            }
        } catch {
            switch error {
            case .unreadable(let reason): report("names the file \(shown(path: path)), which cannot be read: \(reason)")
            case .tooLarge: report("names the file \(shown(path: path)), which is larger than 4MiB")
            }
        }
        return []
    }
}
