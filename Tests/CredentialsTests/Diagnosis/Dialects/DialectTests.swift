import Testing

@testable import Credentials

@Suite("Dialects of refusal")
struct DialectTests {
    @Test("A provider's refusal is read in its dialect", arguments: try DiagnosisFixture.refusals())
    func refusals(answer: DiagnosisFixture.Answer) throws {
        let expected = try #require(answer.expected)
        let diagnosis = try #require(ProviderDiagnosis.read(answer))
        #expect(diagnosis.cause.rawValue == expected.cause)
        #expect(diagnosis.dialect.rawValue == answer.dialect)
        #expect(diagnosis.words == expected.words)
        #expect(diagnosis.missingParameters == expected.missingParameters ?? [])
        #expect(diagnosis.rejectedParameters == expected.rejectedParameters ?? [])
        let range = diagnosis.acceptableTimestamps
        #expect(range.map { [$0.lowerBound, $0.upperBound] } == expected.acceptableTimestamps)
        #expect(diagnosis.acceptableVersions == expected.acceptableVersions)
        #expect(diagnosis.expectedBaseString == expected.expectedBaseString)
        #expect(diagnosis.realm == expected.realm)
        #expect(diagnosis.refusesToken == (expected.cause == "token_refused"))
    }

    @Test("What is no refusal of authorization is none", arguments: try DiagnosisFixture.answers(of: "no-refusals"))
    func others(answer: DiagnosisFixture.Answer) {
        #expect(ProviderDiagnosis.read(answer) == nil)
    }

    @Test("Every dialect has its answers, each told with its source")
    func sources() throws {
        for dialect in ProviderDiagnosis.Dialect.allCases {
            let answers = try DiagnosisFixture.answers(of: dialect.rawValue)
            #expect(answers.count >= 5)
            #expect(answers.allSatisfy { !$0.source.isEmpty && $0.expected != nil })
        }
    }
}
