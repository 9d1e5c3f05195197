import AdminServer

extension DoctorFinding {
    init(_ finding: Finding) {
        let verdict: Verdict =
            switch finding.verdict {
            case .works: .works
            case .warns: .warns
            case .fails: .fails
            case .leftOut: .leftOut
            }
        self.init(finding.subject, verdict, finding.words, remedies: finding.remedies)
    }
}
