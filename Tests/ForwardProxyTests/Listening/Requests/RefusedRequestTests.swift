import Routing
import Testing

@testable import ForwardProxy

@Suite("A request that is refused")
struct RefusedRequestTests {
    @Test(
        "A refusal of routing is answered as that says, with the index of its API, where there still is one",
        arguments: [
            (.apiNotAllowed(client: "one", api: "api"), 0), (.methodNotAllowed(api: "second"), 1),
            (.unknownAccount("x", api: "gone"), nil), (.missingHost, nil), (.clientNotAuthenticated, nil),
        ] as [(Refusal, Int?)]
    )
    func refusals(refusal: Refusal, api: Int?) throws {
        let refused = RefusedRequest(refusal, apis: try EmbeddedProxy(.unconnected).worker.exchanges.apis)
        #expect(refused.problem == Problem(refusal))
        #expect(refused.api == api)
        #expect(refused.client == nil)
    }
}
