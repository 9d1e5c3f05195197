import Testing
import UpstreamTrust

@Suite struct PinTests {
    static let digest = "k+vgod7msUrCFxssAa+z9bJPbISWfMqM2dq3xXTlZEw="

    @Test func aPinIsWrittenAsItWasRead() throws {
        let pin = try Pin(validating: "sha256/" + Self.digest)
        #expect(pin.text == "sha256/" + Self.digest)
        #expect(pin.digest.count == 32)
        #expect(Pin(pin.text) == pin)
    }

    static let mistakes: [(String, String)] = [
        (digest, "pin_prefix"), ("", "pin_prefix"), ("sha1/\(digest)", "pin_prefix"),
        ("SHA256/\(digest)", "pin_prefix"),
        ("sha256:\(digest)", "pin_prefix"), (" sha256/\(digest)", "pin_prefix"),
        ("sha256/\(digest) ", "pin_base64"),
        ("sha256/k+vgod7msUrCFxssAa+z9bJPbISWfMqM2dq3xXTlZEw", "pin_base64"),
        ("sha256/k-vgod7msUrCFxssAa-z9bJPbISWfMqM2dq3xXTlZEw=", "pin_base64"),
        ("sha256/k+vgod7msUrCFxssAa+z9bJPbISWfMqM2dq3xXTlZEx=", "pin_base64"),
        ("sha256/93ebe0a1dee6b14ac2171b2c01afb3f5b24f6c84967cca8cd9dab7c574e5644c", "pin_length"),
        ("sha256/", "pin_length"), ("sha256/AAAA", "pin_length"), ("sha256/…", "pin_base64"),
    ]

    @Test(arguments: mistakes)
    func aTextThatIsNoPinIsRefusedWithWhatIsWrong(_ text: String, label: String) throws {
        let error = #expect(throws: PinError.self) { try Pin(validating: text) }
        #expect(error?.label == label)
        #expect(Pin(text) == nil)
    }

    @Test(arguments: ["hunter", "sha256/hunter", "sha256/hunterhunter"])
    func theSentenceOfAnErrorDoesNotRepeatTheText(_ text: String) throws {
        let error = #expect(throws: PinError.self) { try Pin(validating: text) }
        #expect(try !#require(error).description.contains("hunter"))
    }
}
