import OAuthSigning

/// A parameter of the protocol that the two sides do not send alike.
package struct ParameterDifference: Equatable, Sendable {
    package let name: String
    /// The value, not encoded; nil when it is not sent.
    package let ours: String?
    package let theirs: String?

    /// The parameters of the other side first, in its order.
    static func all(ours: [ProtocolParameter], theirs: [ProtocolParameter]) -> [ParameterDifference] {
        func value(of name: String, in parameters: [ProtocolParameter]) -> String? {
            parameters.first { $0.name == name }?.value
        }
        var names: Set<String> = []
        return (theirs + ours).map(\.name).filter { names.insert($0).inserted }.compactMap { name in
            let (one, other) = (value(of: name, in: ours), value(of: name, in: theirs))
            return one == other ? nil : ParameterDifference(name: name, ours: one, theirs: other)
        }
    }
}

extension ParameterDifference {
    /// The meaning of the difference. A nonce or a timestamp of its own is every signature's right, and a realm is not
    /// signed.
    var finding: ComparisonFinding {
        let isOwn = name == "oauth_nonce" || name == "oauth_timestamp"
        let certainty: ComparisonFinding.Certainty = name == "realm" || isOwn && theirs != nil ? .remark : .seen
        return ComparisonFinding(cause: cause, certainty: certainty, sentence: sentence)
    }

    private var cause: ComparisonCause {
        switch name {
        case "oauth_consumer_key": .consumerKey
        case "oauth_token": theirs == nil ? .tokenAbsent : theirs?.isEmpty ?? false ? .tokenEmpty : .token
        case "oauth_signature_method": .signatureMethod
        case "oauth_version": theirs == nil ? .versionAbsent : .version
        case "oauth_nonce": .nonce
        case "oauth_timestamp": .timestamp
        case "realm": .realm
        case BodyHash.parameterName: theirs == nil ? .bodyHashAbsent : ours == nil ? .bodyHashAdded : .bodyHash
        default: theirs == nil ? .parameterAbsent : .parameterValue
        }
    }

    private var sentence: String {
        switch (ours, theirs) {
        case (let ours?, let theirs?):
            "\(name) differs: ours is \(Self.shown(ours)), the other side's \(Self.shown(theirs))."
        case (let ours?, nil): "The other side has no \(name); ours is \(Self.shown(ours))."
        case (nil, let theirs?): "The other side has \(name), \(Self.shown(theirs)); ours has none."
        case (nil, nil): "\(name) differs."
        }
    }

    private static func shown(_ value: String) -> String {
        value.isEmpty ? "empty" : "\"\(value)\""
    }
}
