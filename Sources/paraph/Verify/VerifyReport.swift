import Bytes
import OAuthSigning
import SignatureComparison

/// The output of `paraph verify`.
struct VerifyReport {
    let outcome: RequestToVerify.Outcome
    /// Seconds since 1970.
    let now: UInt64
    /// Indicates whether a token's secret was given, which a request without a token does not use.
    var hasTokenSecret = false
    /// Indicates whether there was an Authorization field, whatever was in it.
    var hasAuthorization = true
    /// Remarks on what was taken for granted of the request, and on what is missing.
    var notes: [String] = []

    var isVerified: Bool {
        switch outcome {
        case .verified: true
        case .refused, .signedElsewhere, .unreadable: false
        }
    }

    /// The text for a person.
    var text: String { (sections + notes.map { ReportSection($0) }).text }

    private var sections: [ReportSection] {
        switch outcome {
        case .verified(let request, let body):
            [ReportSection("Verified: the signature is right.", ReportSection.lines(pairs(request, body)))]
        case .refused(let failure, let comparison):
            [ReportSection("Refused: \(failure)\(remedy(failure))")]
                + (comparison.map { ComparisonReport(comparison: $0).sections } ?? [])
        case .signedElsewhere(let failure, let address, let received, let remarks):
            [
                ReportSection("Refused: \(failure)"),
                ReportSection(address.sentence(received: received), remarks.flatMap(\.lines)),
            ]
        case .unreadable(let error): [ReportSection("Refused: \(error)")]
        }
    }

    private func remedy(_ failure: VerificationFailure) -> String {
        let isUnsigned = [.notSigned, .parameterAbsent(name: "oauth_consumer_key")].contains(failure)
        guard isUnsigned, !hasAuthorization else { return "" }
        return " It has no Authorization field: give that with --authorization 'OAuth …', or with "
            + "--header 'Authorization: OAuth …'."
    }

    private func pairs(_ request: VerifiedRequest, _ body: RequestToVerify.BodyCover) -> [(name: String, value: String)]
    {
        var pairs = [
            (name: "Consumer key", value: request.consumerKey),
            (name: "Token", value: request.token ?? noToken(request)),
            (name: "Signature method", value: request.signatureMethod.rawValue),
        ]
        if let timestamp = request["oauth_timestamp"] {
            let far = distance(of: timestamp).map { distance in
                distance == 0
                    ? "now" : "\(distance.magnitude) s \(distance > 0 ? "ahead of" : "behind") this machine's clock"
            }
            // How far off it is says nothing of what is no number of seconds.
            let fault = TimestampFinding.fault(of: timestamp, now: now)
            pairs.append(
                (
                    "Timestamp",
                    fault.map { "\($0); a provider that compares it with its clock refuses it" }
                        ?? [timestamp, far].compactMap(\.self).joined(separator: ", ")
                )
            )
        }
        if let nonce = request["oauth_nonce"] { pairs.append(("Nonce", nonce)) }
        if let realm = request.realm { pairs.append(("Realm", realm)) }
        pairs.append(("Body", words(body)))
        return pairs
    }

    private func noToken(_ request: VerifiedRequest) -> String {
        guard hasTokenSecret, !request.signatureMethod.isRSA else { return "none" }
        return "none, so that the key ends in & (RFC 5849, section 3.4.2): the given token secret takes no part"
    }

    private func words(_ body: RequestToVerify.BodyCover) -> String {
        switch body {
        case .absent: "none"
        case .hash: "oauth_body_hash is right"
        case .form: "a form, signed parameter by parameter"
        case .uncovered: "not covered by the signature"
        }
    }

    /// Seconds that a timestamp is ahead of now.
    private func distance(of timestamp: String) -> Int? {
        guard let time = Int(timestamp), let now = Int(exactly: now) else { return nil }
        let (distance, isTooFar) = time.subtractingReportingOverflow(now)
        return isTooFar ? nil : distance
    }

    /// The JSON for a program.
    var json: String {
        var members: [(key: String, value: JSONText)] = [("verified", .boolean(isVerified))]
        func add(_ key: String, _ value: String?) {
            if let value { members.append((key, .string(value))) }
        }
        switch outcome {
        case .verified(let request, let body):
            add("consumer_key", request.consumerKey)
            add("token", request.token)
            add("signature_method", request.signatureMethod.rawValue)
            add("timestamp", request["oauth_timestamp"])
            add("timestamp_fault", request["oauth_timestamp"].flatMap { TimestampFinding.fault(of: $0, now: now) })
            if let distance = request["oauth_timestamp"].flatMap(distance) {
                members.append(("timestamp_distance", .integer(distance)))
            }
            add("nonce", request["oauth_nonce"])
            add("realm", request.realm)
            add("body", body.rawValue)
            add("base_string", request.baseString)
        case .refused(let failure, let comparison):
            add("error", failure.label)
            add("sentence", failure.description + remedy(failure))
            if let comparison { members.append(("comparison", ComparisonReport(comparison: comparison).json)) }
        case .signedElsewhere(let failure, let address, let received, let remarks):
            add("error", failure.label)
            add("sentence", failure.description)
            members.append(("signed_for", address.json(received: received)))
            if !remarks.isEmpty { members.append(("findings", .array(remarks.map(\.json)))) }
        case .unreadable(let error):
            add("error", "field_malformed")
            add("sentence", error.description)
        }
        if !notes.isEmpty { members.append(("notes", .strings(notes))) }
        return JSONText.object(members).line
    }
}
