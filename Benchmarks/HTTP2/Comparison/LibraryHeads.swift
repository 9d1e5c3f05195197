import HTTP1Codec
import NIOHPACK

/// Heads where the library is at work: its own, or those that the proxy works with, which are converted each time.
struct LibraryHeads {
    let convertsHeads: Bool
    private let requestHead: RequestHead
    private let responseHead: ResponseHead
    private let request: HPACKHeaders
    private let response: HPACKHeaders

    init(convertsHeads: Bool) throws {
        self.convertsHeads = convertsHeads
        requestHead = try Work.requestHead()
        responseHead = try Work.responseHead()
        request = HeadConversion.headers(requestHead)
        response = HeadConversion.headers(responseHead)
    }

    /// - Parameter number: The number of the request, each of which is signed.
    func makeRequest(_ number: Int) -> HPACKHeaders {
        var headers = convertsHeads ? HeadConversion.headers(requestHead) : request
        let authorization = Work.authorizations[number % Work.authorizations.count]
        headers.add(name: "authorization", value: authorization, indexing: .neverIndexed)
        headers.add(name: "via", value: Work.via)
        return headers
    }

    func makeResponse() -> HPACKHeaders {
        var headers = convertsHeads ? HeadConversion.headers(responseHead) : response
        headers.add(name: "via", value: Work.via)
        return headers
    }

    /// Returns whether a request is the expected one.
    func isGet(_ headers: HPACKHeaders) throws -> Bool {
        guard convertsHeads else { return headers.first(name: ":method") == "GET" }
        return try HeadConversion.requestHead(headers).method == .get
    }

    /// Returns whether a response is the expected one.
    func isOK(_ headers: HPACKHeaders) throws -> Bool {
        guard convertsHeads else { return headers.first(name: ":status") == "200" }
        return try HeadConversion.responseHead(headers).status == 200
    }
}
