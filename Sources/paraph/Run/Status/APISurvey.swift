import AdminServer
import Bytes
import Credentials
import ForwardProxy
import FoundationEssentials
import Inspection
import OAuthSigning
import ParaphConfiguration
import Settings
import UpstreamTrust

/// The APIs of a configuration, with what the proxy has learnt of their upstreams.
struct APISurvey {
    let clockOffsets: [String: Int64]
    let connections: [String: UpstreamConnectionCounts]
    let hostsWithoutBackupPin: [String: [String]]
    let health: [String: HealthOfAPI]

    func apis(of configuration: Configuration) -> [APIStatus] {
        configuration.proxy.apis.map { api in
            var status = APIStatus(
                name: api.name,
                hosts: api.hosts.map { "\($0)" },
                scheme: api.upstreamScheme,
                authorization: Self.authorization(api.scheme),
                pins: api.tls.pinning.compactMap(Self.pins),
                hostsWithoutBackupPin: hostsWithoutBackupPin[api.name] ?? [],
                clientCertificateExpires: api.tls.clientIdentity?.expires,
                rateLimits: (health[api.name]?.rateLimits ?? []).map { RateLimitStatus($0) },
                connections: connections[api.name] ?? UpstreamConnectionCounts()
            )
            if case .oauth1(let oauth1) = api.scheme {
                status.signatureMethod = oauth1.options.signatureMethod.rawValue
                status.clock = ClockStatus(
                    follows: oauth1.correctsClock,
                    offsetSeconds: clockOffsets[api.name].map { Int($0) }
                )
            }
            return status
        }
    }

    private static func authorization(_ scheme: AuthorizationScheme) -> APIStatus.Authorization {
        switch scheme {
        case .oauth1: .oauth1
        case .oauth2: .oauth2
        case .bearer: .bearer
        }
    }

    private static func pins(_ pinning: HostPinning) -> PinStatus? {
        pinning.policy.map { policy in
            PinStatus(
                hosts: pinning.hosts.map { "\($0)" },
                mode: policy.mode.rawValue,
                count: policy.pins.count,
                onFailure: policy.onFailure.rawValue,
                // Certificates, too, say their last second.
                expires: policy.expires?.addingTimeInterval(-1),
                onExpiry: policy.onExpiry.rawValue
            )
        }
    }
}

extension RateLimitStatus {
    fileprivate init(_ seen: SeenRateLimits) {
        self.init(
            account: seen.account,
            time: Date(timeIntervalSince1970: TimeInterval(seen.time)),
            fields: seen.fields.map { Field($0.name, $0.value) }
        )
    }
}
