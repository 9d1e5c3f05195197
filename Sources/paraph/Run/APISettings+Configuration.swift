import ForwardProxy
import NIOCore
import ParaphConfiguration
import Routing

extension APISettings {
    init(_ api: APIConfiguration) {
        let existingAuthorization: ExistingAuthorization =
            switch api.onExistingAuthorization {
            case .replace: .replace
            case .keep: .keep
            case .refuse: .refuse
            }
        self.init(
            name: api.name,
            hosts: api.route.hosts,
            upstreamScheme: api.route.upstreamScheme,
            connectTo: api.connectTo,
            scheme: api.scheme,
            accounts: api.accounts,
            maxBody: api.maxBody,
            existingAuthorization: existingAuthorization,
            tls: api.tls,
            upstreamProxy: api.upstreamProxy,
            usesHTTP2: api.usesHTTP2,
            gateway: api.gateway.map {
                ForwardProxy.GatewaySettings(
                    host: $0.address.host,
                    port: $0.address.port,
                    mapsResponses: $0.mapsResponses,
                    hosts: $0.hosts
                )
            },
            requests: api.requests,
            responseHeaderTimeout: api.responseHeaderTimeout.map { TimeAmount($0) }
        )
    }
}
