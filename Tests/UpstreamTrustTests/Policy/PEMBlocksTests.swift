import Testing
import UpstreamTrust

@Suite("The certificates of a PEM file, as they stand there")
struct PEMBlocksTests {
    @Test("They are found whatever is around them")
    func finds() {
        let text = """
            # A root
            -----BEGIN CERTIFICATE-----
            AQID
            BA==
            -----END CERTIFICATE-----
            -----BEGIN CERTIFICATE-----\r
            BQ==\r
            -----END CERTIFICATE-----\r
            -----BEGIN CERTIFICATE-----
            BQ==
            """
        #expect(PEMBlocks.certificates(Array(text.utf8)) == [[1, 2, 3, 4], [5]])
    }

    @Test("What is no base64 between the lines is left out, and the others are found")
    func leavesOut() {
        let text =
            "-----BEGIN CERTIFICATE-----\nB\n-----END CERTIFICATE-----\n"
            + "-----BEGIN CERTIFICATE-----\nBQ = =\n-----END CERTIFICATE-----\n"
        #expect(PEMBlocks.certificates(Array(text.utf8)) == [[5]])
        #expect(PEMBlocks.removing(Array(text.utf8)) { $0 == [5] } == Array(text.utf8.prefix(56)) + [0x0A])
    }
}
