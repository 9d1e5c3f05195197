import Foundation
import HTTP1Codec
import HTTP2Codec
import NIOCore
import Testing

/// One header block of a vector file, which `Vectors/make_vectors.py` describes.
struct BlockRow: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable { case request, response, trailers }

    let story: String
    let kind: Kind
    let tableLimit: Int
    let block: String
    let tableSize: Int
    let head: String

    /// The blocks of each story in order.
    static func stories(of file: String) -> [[BlockRow]] {
        do {
            let url = try #require(
                Bundle.module.url(forResource: file, withExtension: "jsonl", subdirectory: "Vectors")
            )
            let rows = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
                try JSONDecoder().decode(BlockRow.self, from: Data(line.utf8))
            }
            return Dictionary(grouping: rows, by: \.story).sorted { $0.key < $1.key }.map(\.value)
        } catch {
            return []
        }
    }

    /// The bytes of the head; the file has Latin-1 text.
    var headBytes: [UInt8] { head.unicodeScalars.map { UInt8($0.value) } }

    /// Decodes the block as what it is.
    ///
    /// - Returns: The bytes of the head or section.
    func decoded(by decoder: inout HeaderBlockDecoder) throws -> [UInt8] {
        let block = try Block(hexadecimal: block).buffer
        let bytes =
            switch kind {
            case .request: try decoder.request(block, endsStream: true).bytes
            case .response: try decoder.response(block, endsStream: false, to: .get).bytes
            case .trailers: try decoder.trailers(block).bytes
            }
        return Array(bytes.readableBytesView)
    }
}
