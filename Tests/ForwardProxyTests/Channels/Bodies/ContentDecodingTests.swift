import Foundation
import NIOCore
import Testing

@testable import ForwardProxy

/// The compressed bodies were made with Python's gzip and zlib modules.
@Suite("Content codings")
struct ContentDecodingTests {
    static let text = #"{"errors":[{"code":32,"message":"Could not authenticate you."}]}"#
    static let gzip =
        "H4sIAAAAAAACA6tWSi0qyi8qVrKKrlZKzk9JVbIyNtJRyk0tLk5MB3KUnPNLc1IU8vJLFBJLSzJS80oykxNLUhUq80"
        + "v1lGpjawEK8F4MQAAAAA=="
    static let zlib =
        "eJyrVkotKsovKlayiq5WSs5PSVWyMjbSUcpNLS5OTAdylJzzS3NSFPLySxQSS0syUvNKMpMTS1IVKvNL9ZRqY2sBwh"
        + "sWRw=="
    /// The same without zlib's header and checksum, as some servers take `deflate` to mean.
    static let rawDeflate =
        "q1ZKLSrKLypWsoquVkrOT0lVsjI20lHKTS0uTkwHcpSc80tzUhTy8ksUEktLMlLzSjKTE0tSFSrzS/WUamNrAQ=="

    static func decode(_ base64: String, _ coding: String, limit: Int = 65_536) throws -> String? {
        let bytes = try #require(Data(base64Encoded: base64))
        return ContentDecoding.decode(ByteBuffer(bytes: bytes), contentEncoding: coding, limit: limit)
            .map { String(buffer: $0) }
    }

    @Test(
        "A body is decoded by its coding, whatever its capitals",
        arguments: [
            (gzip, "gzip"), (gzip, "x-gzip"), (gzip, "GZip"), (zlib, "deflate"),
        ]
    )
    func decodes(base64: String, coding: String) throws {
        #expect(try Self.decode(base64, coding) == Self.text)
    }

    @Test("A body without a coding is itself", arguments: ["", "identity", "Identity"])
    func identity(coding: String) {
        let body = ByteBuffer(string: "as it is")
        #expect(ContentDecoding.decode(body, contentEncoding: coding, limit: 8) == body)
        // Its beginning may tell enough.
        #expect(ContentDecoding.decode(body, contentEncoding: coding, limit: 7) == ByteBuffer(string: "as it i"))
        #expect(ContentDecoding.decode(ByteBuffer(), contentEncoding: coding, limit: 0) == ByteBuffer())
    }

    @Test(
        "Nothing is made of a coding that is not known, or of several",
        arguments: ["br", "zstd", "compress", "gzip, gzip", "gzip,identity", "x", "gzip;q=1"]
    )
    func unknown(coding: String) throws {
        #expect(try Self.decode(Self.gzip, coding) == nil)
    }

    @Test(
        "Nothing is made of a body that is not of its coding",
        arguments: [
            (rawDeflate, "deflate"), ("", "gzip"), ("", "deflate"), ("e30=", "gzip"), ("e30=", "deflate"),
        ]
    )
    func broken(base64: String, coding: String) throws {
        #expect(try Self.decode(base64, coding) == nil)
    }

    @Test("Nothing is made of a body that is cut off anywhere, or that something follows")
    func truncated() throws {
        let whole = try #require(Data(base64Encoded: Self.gzip))
        for count in 0..<whole.count {
            let body = ByteBuffer(bytes: whole.prefix(count))
            #expect(ContentDecoding.decode(body, contentEncoding: "gzip", limit: 65_536) == nil)
        }
        let longer = ByteBuffer(bytes: whole + Data([0]))
        #expect(ContentDecoding.decode(longer, contentEncoding: "gzip", limit: 65_536) == nil)
    }

    @Test("Exactly the limit may come out, and nothing is made of a body that more comes out of")
    func limited() throws {
        #expect(try Self.decode(Self.gzip, "gzip", limit: Self.text.utf8.count) == Self.text)
        #expect(try Self.decode(Self.gzip, "gzip", limit: Self.text.utf8.count - 1) == nil)
    }

    /// 1 MiB of zeros, deflated to 1051 bytes.
    static let bomb = "H4sIAAAAAAACA+3BMQEAAADCoPVPbQhfo" + String(repeating: "A", count: 1355) + "PgMc6jinAAAQAA=="

    @Test("A small body that inflates to a large one is read to its end within the limit, and not beyond it")
    func bomb() throws {
        #expect(try Self.decode(Self.bomb, "gzip") == nil)
        #expect(try Self.decode(Self.bomb, "gzip", limit: 1 << 20)?.utf8.count == 1 << 20)
    }
}
