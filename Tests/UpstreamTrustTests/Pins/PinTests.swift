import Testing
import UpstreamTrust

@Suite struct PinTests {
    static let digest = "k+vgod7msUrCFxssAa+z9bJPbISWfMqM2dq3xXTlZEw="

    @Test("A pin is written as it was read")
    func aPinIsWrittenAsItWasRead() throws {
        let pin = try Pin(validating: "sha256/" + Self.digest)
        #expect(pin.text == "sha256/" + Self.digest)
        #expect(pin.digest.count == 32)
        #expect(try Pin(validating: pin.text) == pin)
    }

    static let mistakes: [(String, PinError)] = [
        (digest, .missingPrefix), ("", .missingPrefix), ("sha1/\(digest)", .missingPrefix),
        ("SHA256/\(digest)", .missingPrefix),
        ("sha256:\(digest)", .missingPrefix), (" sha256/\(digest)", .missingPrefix),
        ("sha256/\(digest) ", .notBase64),
        ("sha256/k+vgod7msUrCFxssAa+z9bJPbISWfMqM2dq3xXTlZEw", .notBase64),
        ("sha256/k-vgod7msUrCFxssAa-z9bJPbISWfMqM2dq3xXTlZEw=", .notBase64),
        ("sha256/k+vgod7msUrCFxssAa+z9bJPbISWfMqM2dq3xXTlZEx=", .notBase64),
        ("sha256/93ebe0a1dee6b14ac2171b2c01afb3f5b24f6c84967cca8cd9dab7c574e5644c", .wrongLength(bytes: 48)),
        ("sha256/", .wrongLength(bytes: 0)), ("sha256/AAAA", .wrongLength(bytes: 3)), ("sha256/…", .notBase64),
    ]

    @Test("A text that is no pin is refused with what is wrong with it", arguments: mistakes)
    func aTextThatIsNoPinIsRefusedWithWhatIsWrong(_ text: String, error: PinError) {
        #expect(throws: error) { try Pin(validating: text) }
    }

    @Test(
        "The error about a text that is no pin does not repeat the text",
        arguments: ["hunter", "sha256/hunter", "sha256/hunterhunter"]
    )
    func theSentenceOfAnErrorDoesNotRepeatTheText(_ text: String) throws {
        let error = #expect(throws: PinError.self) { try Pin(validating: text) }
        #expect(try !#require(error).description.contains("hunter"))
    }
}
