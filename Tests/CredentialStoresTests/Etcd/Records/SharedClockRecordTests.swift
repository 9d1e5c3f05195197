@testable import CredentialStores
import Credentials
import Foundation
import Testing
import TestSupport

@Suite("The contents of the record of a clock", .timed)
struct SharedClockRecordTests {
    static let records = [
        SharedClockRecord(.time(784_111_777, question: nil)),
        SharedClockRecord(.time(0, question: 12), following: 11),
        SharedClockRecord(.time(1 << 40, question: .max), following: .max),
        SharedClockRecord(.question, following: 1),
        SharedClockRecord(.retraction),
    ]

    @Test("What was written is read", arguments: records)
    func roundTrip(record: SharedClockRecord) throws {
        #expect(try SharedClockRecord(contents: record.contents) == record)
        // Whatever is told, it is as long.
        #expect(record.contents.count == 26)
    }

    @Test("A time that no clock has is a late one")
    func latest() throws {
        let record = SharedClockRecord(.time(.max, question: nil))
        #expect(try SharedClockRecord(contents: record.contents).content == .time(1 << 40, question: nil))
    }

    @Test("What is cut, longer, of another kind or version, or of no time is not taken", arguments: records)
    func damaged(record: SharedClockRecord) {
        let contents = record.contents
        var late = contents
        late[18] = 1
        var strange = contents
        strange[1] = 4
        for bytes in [Data(), contents.dropLast(), contents + [0], late, strange] {
            #expect(throws: RecordFault.damaged) { try SharedClockRecord(contents: bytes) }
        }
        var newer = contents
        newer[0] = 2
        #expect(throws: RecordFault.unknownVersion(2)) { try SharedClockRecord(contents: newer) }
    }
}
