import Testing
import UpstreamTrust

/// A row of the tables: a policy, what a server presents, and the decision.
struct ChainCase: Sendable, CustomTestStringConvertible {
    var what: String
    /// Names of ``TestCertificates``.
    var trusted: [String] = ["root"]
    var presented: [String]
    var host = "api.example.com"
    var verifiesHostname = true
    var pins: Pins?
    /// The validated path, or the label of the failure.
    var expected: Decision

    struct Pins {
        var mode: PinningMode
        var of: [String]
    }

    enum Decision: Equatable {
        case path([String])
        case refused(String)
    }

    var testDescription: String { self.what }

    func pinning(_ certificates: TestCertificates) throws -> PinningPolicy? {
        try self.pins.map { pins in
            try PinningPolicy(
                mode: pins.mode,
                pins: pins.of.map { name in
                    let certificate = try certificates[name]
                    return switch pins.mode {
                    case .publicKey: try Pin.publicKey(of: certificate)
                    case .certificate: try Pin.certificate(certificate)
                    }
                }
            )
        }
    }

    func policy(_ certificates: TestCertificates) throws -> TLSPolicy {
        TLSPolicy(
            trust: .certificates(try self.trusted.map { try certificates[$0] }),
            verifiesHostname: self.verifiesHostname
        )
    }
}
