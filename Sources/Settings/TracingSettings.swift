package import Credentials

/// The collector that spans go to.
package struct TracingSettings: Sendable, Equatable {
    /// The address that its signals' paths begin with, as `OTEL_EXPORTER_OTLP_ENDPOINT` has it.
    package var collector: ExchangeURL

    package init(collector: ExchangeURL) {
        self.collector = collector
    }
}
