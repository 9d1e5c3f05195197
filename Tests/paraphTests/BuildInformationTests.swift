import ArgumentParser
import Testing

@testable import paraph

@Suite("The information about the build")
struct BuildInformationTests {
    @Test("is one line: version, commit and configuration")
    func line() {
        let version = Paraph.configuration.version
        #expect(version == BuildInformation.line)
        #expect(
            version.wholeMatch(
                of: /paraph [0-9]+\.[0-9]+\.[0-9]+ \(commit ([0-9a-f]{12}(-modified)?|unknown), (debug|release)\)/
            ) != nil
        )
    }
}
