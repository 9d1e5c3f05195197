package import Credentials
package import Inspection
package import NIOCore
package import PrometheusMetrics

/// The parts of the process that the admin listener asks, and tells what to do.
package struct AdminBackend: Sendable {
    package var readiness: Readiness
    /// Returns the metrics; asked at each scrape.
    package var metrics: @Sendable () async -> [MetricFamily]
    /// The accounts; nil: `/register` and `/accounts` say that enrolment is not configured.
    package var enrolment: (any EnrolmentService)?
    /// Asked for what the process tells of itself.
    package var status: any StatusSource
    /// The way to reload the configuration and to end the process.
    package var control: any ProcessControl
    /// Runs the checks of `paraph doctor` for the configuration that is served by, and tells each finding as it is
    /// there.
    package var checks: @Sendable (_ tell: @escaping @Sendable (DoctorFinding) -> Void) async -> Void
    /// Slows guesses at the token; nil: nobody does.
    package var tokenGuard: (any TokenGuard)?
    /// The latest requests, for the inspector.
    package var journal: RequestJournal
    /// Returns whether a connection, of two addresses of this machine, is of the process's own user; nil: other users
    /// are not kept from the inspector.
    package var isOwnUser: (@Sendable (_ client: SocketAddress, _ server: SocketAddress) -> Bool)?

    package init(
        readiness: Readiness,
        metrics: @escaping @Sendable () async -> [MetricFamily] = { [] },
        enrolment: (any EnrolmentService)? = nil,
        status: any StatusSource,
        control: any ProcessControl,
        checks: @escaping @Sendable (_ tell: @escaping @Sendable (DoctorFinding) -> Void) async -> Void,
        tokenGuard: (any TokenGuard)? = nil,
        journal: RequestJournal = RequestJournal(),
        isOwnUser: (@Sendable (_ client: SocketAddress, _ server: SocketAddress) -> Bool)? = nil
    ) {
        self.readiness = readiness
        self.metrics = metrics
        self.enrolment = enrolment
        self.status = status
        self.control = control
        self.checks = checks
        self.tokenGuard = tokenGuard
        self.journal = journal
        self.isOwnUser = isOwnUser
    }
}
