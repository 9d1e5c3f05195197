import Credentials
import FoundationEssentials

/// The contents of the record of an API's clock: the version (1 byte), the kind (1), and three numbers of 8 bytes: the
/// revision of the announcement that it follows, the revision of the question that it answers, each 0 where there is
/// none, and the provider's time in seconds.
extension SharedClockRecord {
    private static let version: UInt8 = 1
    /// A time far beyond the year 9999, where dates end.
    private static let latestTime: Int64 = 1 << 40

    private enum Kind: UInt8 {
        case time = 1
        case question = 2
        case retraction = 3
    }

    init(contents: Data) throws(RecordFault) {
        var reader = ByteReader(contents)
        guard let version = reader.number(UInt8.self) else { throw .damaged }
        guard version == Self.version else { throw .unknownVersion(version) }
        guard let kind = reader.number(UInt8.self).flatMap(Kind.init(rawValue:)),
            let announcement = reader.number(UInt64.self), let question = reader.number(UInt64.self),
            let time = reader.number(UInt64.self), reader.isAtEnd, time <= Self.latestTime
        else { throw .damaged }
        let content: Content =
            switch kind {
            case .time: .time(Int64(time), question: question == 0 ? nil : Int64(clamping: question))
            case .question: .question
            case .retraction: .retraction
            }
        self.init(content, following: announcement == 0 ? nil : Int64(clamping: announcement))
    }

    var contents: Data {
        let (kind, question, time): (Kind, Int64?, Int64) =
            switch content {
            case .time(let time, let question): (.time, question, min(time, Self.latestTime))
            case .question: (.question, nil, 0)
            case .retraction: (.retraction, nil, 0)
            }
        var contents = Data([Self.version, kind.rawValue])
        for number in [announcement ?? 0, question ?? 0, time] { contents.append(bigEndian: UInt64(clamping: number)) }
        return contents
    }
}
