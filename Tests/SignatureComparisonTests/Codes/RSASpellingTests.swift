import Bytes
import Testing

@testable import SignatureComparison

@Suite("Ways to write the bytes of an RSA signature wrong")
struct RSASpellingTests {
    private static let signature = (0..<256).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }

    @Test(
        "What was done to the bytes is undone",
        arguments: [
            (RSASpelling.reversed, signature.reversed()),
            (.wordsReversed, stride(from: 0, to: 256, by: 4).flatMap { signature[$0..<($0 + 4)].reversed() }),
            (.zerosInFront, [0] + signature),
            (.textInUTF8, String(String.UnicodeScalarView(signature.map { Unicode.Scalar($0) })).bytes),
        ] as [(RSASpelling, [UInt8])]
    )
    func undone(spelling: RSASpelling, written: [UInt8]) {
        #expect(spelling.undone(written) == Self.signature)
    }

    @Test("Zeros that a number does not have are put in front again")
    func zerosLost() {
        let signature = [0, 0] + Self.signature.dropFirst(2)
        #expect(RSASpelling.zerosLost.undone(Array(signature.dropFirst(2))) == signature)
        #expect(RSASpelling.zerosInFront.undone([0] + signature) == signature)
    }

    @Test("What cannot have been written so is left alone", arguments: [[], [1], Array(repeating: 0, count: 3)])
    func impossible(bytes: [UInt8]) {
        #expect(RSASpelling.zerosLost.undone(bytes) == nil)
        #expect(RSASpelling.wordsReversed.undone(bytes)?.isEmpty ?? true)
        #expect(RSASpelling.zerosInFront.undone(bytes) == nil)
    }
}
