extension DeviationCatalogue {
    /// RFC 5849, section 3.4.1.3.2.
    var orderDeviations: [Deviation] {
        let sorts: [(ParameterOrder, ComparisonCause, String)] = [
            (
                .beforeEncoding, .sortedBeforeEncoding,
                "The other side sorted the parameters before it encoded them; they are sorted as encoded."
            ),
            (
                .namesOnly, .sortedByNameOnly,
                "The other side sorted by name only; parameters with one name are sorted by value."
            ),
            (
                .pairs, .sortedAsPairs,
                "The other side sorted name=value as one text, so that the = takes part; names are compared first."
            ),
            (.ignoringCase, .sortedIgnoringCase, "The other side sorted without regard to case; bytes are compared."),
        ]
        let places: [[ParameterOrigin]] = [
            [.query, .form, .protocol], [.protocol, .query, .form], [.form, .query, .protocol],
            [.protocol, .form, .query], [.query, .protocol, .form], [.form, .protocol, .query],
        ]
        let received = places.map { origins in
            Deviation(.notSorted, "The other side did not sort the parameters.") { $0.order = .received(origins) }
        }
        let groups = places.map { origins in
            Deviation(
                .sortedInGroups,
                "The other side sorted the parameters of query, form and protocol each by themselves; all are sorted as one."
            ) { $0.order = .groups(origins) }
        }
        return sorts.map { order, cause, sentence in Deviation(cause, sentence) { $0.order = order } } + received
            + groups
    }
}
