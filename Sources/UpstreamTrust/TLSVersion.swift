/// The versions of TLS that may be asked for as a minimum; older ones are never spoken.
package enum TLSVersion: String, CaseIterable, Sendable {
    case tls12 = "1.2"
    case tls13 = "1.3"
}
