/// The reasons for which this codec refuses what llhttp takes: those of the vector files, and no other.
enum DeliberateStrictness {
    static let labels: Set<String> = {
        let rows = VectorRow.rows(of: "requests") + VectorRow.rows(of: "responses")
        return Set(
            rows.compactMap { row in
                if case .stricter(let label) = row.verdict { label } else { nil }
            }
        )
    }()
}
