import OpenTelemetry
package import PrometheusMetrics

/// The metrics of the proxy that are counted as things happen, through swift-metrics.
package enum ProxyMetrics {
    static let requests = MetricDescription(
        "paraph_requests_total",
        .counter,
        "Requests that are over, by API (empty: none), method and class of the status (none: no answer)."
    )
    static let requestTime = MetricDescription(
        "paraph_request_seconds",
        .histogram,
        "The time from the head of a request to the end of its response; of a tunnel until it stands."
    )
    static let tokenWait = MetricDescription(
        "paraph_token_wait_seconds",
        .histogram,
        "The time that a request waited for a token that was not at hand."
    )
    static let connectTime = MetricDescription(
        "paraph_connect_seconds",
        .histogram,
        "The time that a new upstream connection took, by phase (the name's look-up, TCP, TLS) and its result."
    )
    static let firstByte = MetricDescription(
        "paraph_first_byte_seconds",
        .histogram,
        "The time from the head of a request to that of its final response from upstream."
    )
    static let signatures = MetricDescription(
        "paraph_signatures_total",
        .counter,
        "Signatures made, by API and signature method."
    )
    static let providerRefusals = MetricDescription(
        "paraph_provider_refusals_total",
        .counter,
        "Responses of providers that refused a signature or a token, by API and diagnosis; repeated ones included."
    )
    static let refusals = MetricDescription(
        "paraph_refusals_total",
        .counter,
        "Requests that the proxy answered itself, or reset, by API and the error of their Proxy-Status field."
    )
    static let repeats = MetricDescription(
        "paraph_repeats_total",
        .counter,
        "Requests that were sent again, by API and cause."
    )
    static let bytes = MetricDescription(
        "paraph_bytes_total",
        .counter,
        "Bytes of bodies and tunnels, by the way they went: request, to servers; response, to clients."
    )
    static let exchanges = MetricDescription(
        "paraph_exchanges_total",
        .counter,
        "Token exchanges, by API, kind and result."
    )
    static let exchangeTime = MetricDescription(
        "paraph_exchange_seconds",
        .histogram,
        "The time that a token exchange took, with its repeats."
    )
    static let failedHandshakes = MetricDescription(
        "paraph_client_handshake_failures_total",
        .counter,
        "TLS handshakes with clients that failed, by cause: untrusted, the client does not trust the local CA, or the "
            + "proxy's own certificate; probably_untrusted; other."
    )
    static let turnedAway = MetricDescription(
        "paraph_turned_away_connections_total",
        .counter,
        "Connections of clients that were ended before anything was read of them: limits.connections is used up, and so "
            + "many more wait to be told so."
    )
    static let leaves = MetricDescription(
        "paraph_leaf_certificates_total",
        .counter,
        "Certificates that the local CA has made for intercepted hosts."
    )
    static let vaultOperations = MetricDescription(
        "paraph_vault_operations_total",
        .counter,
        "Operations on the vault, by operation and result."
    )

    static let trustDecisions = MetricDescription(
        "paraph_upstream_trust_decisions_total",
        .counter,
        "Decisions on the certificates of new upstream connections, by API, action (accept, report: used all the same, "
            + "refuse) and reason (none: accepted)."
    )

    /// All of them, in the order that they are shown in.
    package static let descriptions = [
        requests, requestTime, tokenWait, connectTime, firstByte, signatures, providerRefusals, refusals, repeats,
        bytes, exchanges, exchangeTime, trustDecisions, failedHandshakes, turnedAway, leaves,
        vaultOperations,
        SpanQueue.exported, SpanQueue.dropped,
    ]
}
