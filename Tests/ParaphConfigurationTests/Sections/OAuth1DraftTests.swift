import Credentials
import OAuthSigning
import Testing

@testable import ParaphConfiguration

@Suite("The fields of an oauth1 block")
struct OAuth1DraftTests {
    @Test("They are settings once those are there that the signature method needs")
    func settings() throws {
        var draft = OAuth1Draft(nil)
        draft.consumerKey = "key"
        #expect(draft.settings == nil)
        draft.consumerSecret = Secret("secret")
        let settings = try #require(draft.settings)
        #expect(settings.client.identifier == "key")
        #expect(settings.client.sharedSecret == Secret("secret"))
        #expect(settings.timestamps == .wall)
        #expect(settings.correctsClock)
        draft.options.signatureMethod = .rsaSHA256
        #expect(draft.settings == nil, "it signs with a private key")
        draft.options.signatureMethod = .plaintext
        draft.consumerKey = nil
        #expect(draft.settings == nil)
    }

    @Test("They begin as the preset has them")
    func preset() {
        let draft = OAuth1Draft(.netSuite)
        #expect(draft.options.signatureMethod == Preset.netSuite.options.signatureMethod)
        #expect(draft.timestamps == .monotonic)
        #expect(draft.correctsClock)
    }
}
