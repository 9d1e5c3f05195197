/// Protocol parameters that are neither sent nor signed.
package struct OmittedParameters: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let consumerKey = Self(rawValue: 1 << 0)
    package static let signatureMethod = Self(rawValue: 1 << 1)
    package static let nonce = Self(rawValue: 1 << 2)
    package static let timestamp = Self(rawValue: 1 << 3)
    package static let token = Self(rawValue: 1 << 4)
}
