import HTTP1Codec
import NIOCore

@testable import ForwardProxy

/// Reads one request head; line ends may be bare.
func requestHead(_ text: String) throws -> RequestHead {
    var decoder = RequestDecoder()
    decoder.append(ByteBuffer(string: text.withNetworkLineEnds))
    guard case .head(let head) = try decoder.next() else { throw UnreadableHead() }
    return head
}

/// Reads one response head as the answer to a method; line ends may be bare.
func responseHead(_ text: String, to method: RequestMethod = .get) throws -> ResponseHead {
    var decoder = ResponseDecoder()
    decoder.expect(responseTo: method)
    decoder.append(ByteBuffer(string: text.withNetworkLineEnds))
    guard case .head(let head) = try decoder.next() else { throw UnreadableHead() }
    return head
}

struct UnreadableHead: Error {}

extension String {
    /// The text with CR LF for each line feed.
    var withNetworkLineEnds: String {
        var out = String.UnicodeScalarView()
        for scalar in unicodeScalars where scalar != "\r" {
            if scalar == "\n" { out.append("\r") }
            out.append(scalar)
        }
        return String(out)
    }
}
