import Credentials

/// The report on a copying of credentials: a line for each, and how many had which outcome.
struct CopyReport {
    /// The stores' names, for a person.
    let source: String
    let destination: String

    private var counts: [(label: String, count: Int)] = []
    private(set) var total = 0
    private(set) var isComplete = true

    init(source: String, destination: String) {
        self.source = source
        self.destination = destination
    }

    /// Counts an outcome.
    /// - Returns: API, account and the outcome, parted by tabs; and the sentence of what is left to be done.
    mutating func add(_ name: CredentialName, _ outcome: CopyOutcome) -> (line: String, problem: String?) {
        count(outcome.label)
        let problem = outcome.problem(of: name)
        if problem != nil { isComplete = false }
        return ("\(AccountReport.line(name))\t\(outcome.label)", problem)
    }

    /// Counts a credential of the source that does not even tell its name.
    mutating func addNameless() {
        count("cannot be opened")
        isComplete = false
    }

    /// Notes that the copying has ended before its end.
    mutating func breakOff() { isComplete = false }

    private mutating func count(_ label: String) {
        total += 1
        if let index = counts.firstIndex(where: { $0.label == label }) {
            counts[index].count += 1
        } else {
            counts.append((label, 1))
        }
    }

    /// The last sentences: how many of which outcome, and what to do when not all have arrived.
    var text: String {
        let outcomes = counts.map { "\($0.count) \($0.label)" }.joined(separator: "; ")
        var sentences = [
            "\(total) credential\(total == 1 ? "" : "s") of \(source), for \(destination)"
                + (outcomes.isEmpty ? "." : ": \(outcomes).")
        ]
        if !isComplete { sentences.append("Not all have arrived: correct the above and run the command again.") }
        return sentences.joined(separator: " ")
    }
}
