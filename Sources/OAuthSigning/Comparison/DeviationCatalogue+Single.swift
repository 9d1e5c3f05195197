// What has many variants, each of which is only tried alone.
extension DeviationCatalogue {
    /// Seconds to either side; a signer that takes the time twice is seldom slower.
    private static let seconds = 30
    /// Of more parameters the rest is not tried.
    private static let parameterLimit = 128

    /// A timestamp that was taken once for the signature and once for the field.
    var timestampDeviations: [Deviation] {
        guard
            let index = reference.parameters.firstIndex(where: {
                $0.origin == .protocol && $0.nameText == "oauth_timestamp"
            }),
            let sent = Int(reference.parameters[index].valueText), sent < Int.max - Self.seconds
        else { return [] }
        return (1...Self.seconds).flatMap { [-$0, $0] }.map { distance in
            let value = Array(String(sent + distance).utf8)
            let sentence =
                "The other side signed oauth_timestamp \(sent + distance), but sent \(sent): it takes the time twice, and "
                + "must take it once."
            return Deviation(.timestamp, sentence) { $0.parameters[index].value = value }
        }
    }

    /// Each parameter of the query and the form, left out.
    var droppedDeviations: [Deviation] {
        let indices = reference.parameters.indices.filter { reference.parameters[$0].origin != .protocol }
        return indices.prefix(Self.parameterLimit).map { index in
            let parameter = reference.parameters[index]
            let place = parameter.origin == .query ? "query" : "form"
            let sentence =
                "The other side did not sign the parameter \(parameter.nameText)=\"\(parameter.valueText)\" of the \(place)."
            return Deviation(.parameterNotSigned, sentence) { $0.parameters.remove(at: index) }
        }
    }
}
