import Foundation
import Testing

@testable import Credentials

/// Answers as providers gave them, or as their published code or documentation has them, with what they mean.
struct DiagnosisFixture: Decodable {
    struct Answer: Decodable, Sendable, CustomTestStringConvertible {
        struct Expected: Decodable {
            var cause, words: String
            var missingParameters, rejectedParameters: [String]?
            var acceptableTimestamps: [UInt64]?
            var acceptableVersions, expectedBaseString, realm: String?
        }

        /// The place that the answer is from.
        var source: String
        var title, body: String
        var status: Int
        var fields: [String: String]?
        var expected: Expected?
        var dialect: String?

        var testDescription: String { "\(dialect ?? ""): \(title)" }
    }

    var dialect: String?
    var answers: [Answer]

    static func answers(of name: String) throws -> [Answer] {
        let url = try #require(
            Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures/Diagnosis")
        )
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let fixture = try decoder.decode(DiagnosisFixture.self, from: Data(contentsOf: url))
        return fixture.answers.map { answer in
            var answer = answer
            answer.dialect = fixture.dialect
            return answer
        }
    }

    static func refusals() throws -> [Answer] {
        try ProviderDiagnosis.Dialect.allCases.flatMap { try answers(of: $0.rawValue) }
    }
}

extension ProviderDiagnosis {
    static func read(_ answer: DiagnosisFixture.Answer) -> ProviderDiagnosis? {
        read(
            status: answer.status,
            fields: (answer.fields ?? [:]).map { ($0, $1) },
            body: Array(answer.body.utf8),
            secrets: []
        )
    }
}
