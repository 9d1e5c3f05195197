import HTTP1Codec
import Testing

@testable import HTTP2Codec

@Suite struct MalformedHeadTests {
    static let faults: [MalformedHead] = [
        .fieldNameMalformed, .fieldValueMalformed, .connectionField, .teMalformed, .pseudoFieldUnknown,
        .pseudoFieldMissing, .pseudoFieldRepeated, .pseudoFieldMisplaced, .schemeUnknown, .connectUnsupported,
        .hostDiffers, .statusMalformed, .switchingProtocols, .interimEndsStream, .contentLengthWithoutBody,
    ]

    @Test func `Every fault has a label of its own`() {
        let labels = Self.faults.map(\.label)
        #expect(Set(labels).count == labels.count)
        #expect(labels.allSatisfy { $0.allSatisfy { $0 == "_" || ("a"..."z").contains($0) } })
    }

    @Test(arguments: faults + [.message(.hostMalformed)])
    func `Every fault has a sentence`(_ fault: MalformedHead) {
        let error = HeaderBlockError.malformed(fault)
        #expect(error.description.hasSuffix("."))
        #expect(error.description == fault.description)
        #expect(error.label == fault.label)
    }
}
