import HTTP1Codec
import NIOCore
import Testing

@testable import HTTP2Codec

/// A head that a test describes by its fields, and what becomes of it.
struct HeadCase: CustomTestStringConvertible, Sendable {
    let note: String
    let fields: [String]
    var endsStream = true
    var method = RequestMethod.get
    /// The lines of the head, or the label of what is wrong.
    let outcome: Outcome

    enum Outcome: Sendable {
        case lines(String)
        case refused(String)
    }

    var testDescription: String { note }

    init(_ note: String, _ fields: [String], lines: String, endsStream: Bool = true, method: RequestMethod = .get) {
        self.note = note
        self.fields = fields
        self.endsStream = endsStream
        self.method = method
        outcome = .lines(lines)
    }

    init(_ note: String, _ fields: [String], refused: String, endsStream: Bool = true, method: RequestMethod = .get) {
        self.note = note
        self.fields = fields
        self.endsStream = endsStream
        self.method = method
        outcome = .refused(refused)
    }

    /// Whatever the verdict, the block's entries must be in the table after it.
    func check(_ decode: (inout HeaderBlockDecoder, ByteBuffer) throws -> ByteBuffer) throws {
        for form in [Block.Form.plain, .indexed] {
            var decoder = HeaderBlockDecoder(limits: MessageLimits())
            var block = Block()
            for field in fields {
                let (name, value) = Block.parts(of: field)
                block.append(form, name: name, value: value)
            }
            switch outcome {
            case .lines(let lines):
                let bytes = try decode(&decoder, block.buffer)
                #expect(String(decoding: bytes.readableBytesView, as: UTF8.self) == lines)
            case .refused(let label):
                let error = #expect(throws: HeaderBlockError.self) { _ = try decode(&decoder, block.buffer) }
                #expect(error?.label == label)
            }
            #expect(decoder.table.count == (form == .indexed ? fields.count : 0))
        }
    }
}
