import OAuthSigning

/// The differences between two base strings, whoever made them and from whatever request.
package enum BaseStringDifference {
    /// The differences in plain words; empty when the two are equal, or when one of them is no base string.
    package static func findings(ours: String, theirs: String) -> [ComparisonFinding] {
        guard ours != theirs, let one = StatedBaseString(Array(ours.utf8)),
            let other = StatedBaseString(Array(theirs.utf8))
        else { return [] }
        var findings: [ComparisonFinding] = []
        if one.method != other.method {
            findings.append(seen(.method, "The other side has the method \(other.method); ours is \(one.method)."))
        }
        findings += uriFindings(one.uri, other.uri)
        let parameters = parameterFindings(one.parameters, other.parameters)
        findings += parameters
        if findings.isEmpty, one.parameters.map(\.nameText) != other.parameters.map(\.nameText) {
            findings.append(seen(.notSorted, "The other side has the same parameters in another order."))
        }
        if findings.isEmpty {
            findings.append(seen(.missingEncoding, "The other side has the same parts, encoded differently."))
        }
        return findings
    }

    private static func uriFindings(_ ours: String, _ theirs: String) -> [ComparisonFinding] {
        guard ours != theirs else { return [] }
        guard let one = AbsoluteURI(Array(ours.utf8).span), let other = AbsoluteURI(Array(theirs.utf8).span) else {
            return [seen(.path, "The other side has the URI \(theirs); ours is \(ours).")]
        }
        var findings: [ComparisonFinding] = []
        func compare(_ cause: ComparisonCause, _ what: String, _ ours: [UInt8], _ theirs: [UInt8]) {
            if ours == theirs { return }
            let (one, other) = (String(decoding: ours, as: UTF8.self), String(decoding: theirs, as: UTF8.self))
            findings.append(seen(cause, "The other side has the \(what) \(other); ours is \(one)."))
        }
        compare(.scheme, "scheme", one.scheme, other.scheme)
        let (host, port) = RecipeURI.split(one.authority)
        let (otherHost, otherPort) = RecipeURI.split(other.authority)
        compare(.host, "host", host, otherHost)
        switch (port, otherPort) {
        case (nil, let theirs?):
            findings.append(seen(.portKept, "The other side has the port \(String(decoding: theirs, as: UTF8.self))."))
        case (let ours?, nil):
            let text = String(decoding: ours, as: UTF8.self)
            findings.append(seen(.portDropped, "The other side has no port; ours has \(text)."))
        default: compare(.host, "port", port ?? [], otherPort ?? [])
        }
        compare(.path, "path", one.target, other.target)
        return findings
    }

    private static func parameterFindings(
        _ ours: [RecipeParameter],
        _ theirs: [RecipeParameter]
    ) -> [ComparisonFinding] {
        var extra = theirs.map { [$0.nameText, $0.valueText] }
        var missing: [[String]] = []
        for pair in ours.map({ [$0.nameText, $0.valueText] }) {
            if let index = extra.firstIndex(of: pair) { extra.remove(at: index) } else { missing.append(pair) }
        }
        var findings: [ComparisonFinding] = []
        for pair in missing {
            if let index = extra.firstIndex(where: { $0[0] == pair[0] }) {
                let other = extra.remove(at: index)
                let sentence = "The other side has \(pair[0])=\"\(other[1])\"; ours is \"\(pair[1])\"."
                findings.append(seen(.parameterValue, sentence))
            } else {
                let cause: ComparisonCause =
                    ours.count(where: { $0.nameText == pair[0] }) > 1 ? .duplicateDropped : .parameterNotSigned
                findings.append(seen(cause, "The other side has no parameter \(pair[0])=\"\(pair[1])\"."))
            }
        }
        return findings
            + extra.map {
                seen(.parameterAdded, "The other side has a parameter \($0[0])=\"\($0[1])\"; ours has none.")
            }
    }

    private static func seen(_ cause: ComparisonCause, _ sentence: String) -> ComparisonFinding {
        ComparisonFinding(cause: cause, certainty: .seen, sentence: sentence)
    }
}
