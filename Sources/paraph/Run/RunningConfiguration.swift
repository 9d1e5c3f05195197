import AdminServer
import Credentials
import ForwardProxy
import LocalAuthority
import Logging
import ParaphConfiguration
import Settings
import Synchronization

/// The configuration that `paraph run` serves by at the moment, and what it keeps on disk.
final class RunningConfiguration: Sendable {
    private let storage: Mutex<(configuration: Configuration, state: ProxyState)>

    init(_ configuration: Configuration, _ state: ProxyState) {
        storage = Mutex((configuration, state))
    }

    /// The configuration and the state of one moment.
    var current: (configuration: Configuration, state: ProxyState) { storage.withLock { $0 } }
    var configuration: Configuration { storage.withLock { $0.configuration } }
    var state: ProxyState { storage.withLock { $0.state } }

    func replace(_ configuration: Configuration, _ state: ProxyState) {
        storage.withLock { $0 = (configuration, state) }
    }

    var adminSettings: AdminSettings { AdminSettings(configuration, state) }

    /// A few words for the service manager's own listing.
    var status: String {
        "serving by \(configuration.file)"
    }

    /// Tells what is to be known of it, at every start and reload.
    func tell(_ logger: Logger) async {
        let (configuration, state) = current
        let exposures = await BlockingWork.run { SecretExposure.advice(on: configuration) }
        for advice in configuration.warnings + exposures {
            logger.log(
                level: advice.severity == .error ? .error : .warning,
                "\(advice.line(file: configuration.file))"
            )
        }
        if let sentence = DescriptorLimit(raisedFor: configuration.proxy.limits).warning {
            logger.warning("\(sentence)")
        }
        AuthorityReport.tell(state.authority, configuration: configuration, logger: logger)
    }
}

extension AdminSettings {
    init(_ configuration: Configuration, _ state: ProxyState) {
        self.init(listener: configuration.admin, authorityPEM: state.authority.certificatePEM)
    }
}

extension ProxyConfiguration {
    init(_ settings: ProxySettings, _ state: ProxyState, accessLog: AccessLogOutput?) {
        self.init(
            settings: settings,
            authority: state.authority,
            vault: state.vault.store,
            accessLog: accessLog
        )
    }
}
