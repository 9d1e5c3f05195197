import Bytes
import HTTP1Codec
import NIOCore

/// The line of a request for a person: what every request has in columns, then what there is to say of this one.
///
///     18:49:50.123Z 200 GET       182ms   1.2kB billing/alice        api.example.com/1.1/x  token=20ms connect=31ms
struct TextAccessLine {
    private enum Side {
        case left, right
    }

    /// The characters of the longest of the common methods.
    private static let methodWidth = 7

    private let isColoured: Bool
    private var out: ByteBuffer

    /// - Parameter lines: The lines that it is written behind.
    init(isColoured: Bool, _ lines: consuming ByteBuffer) {
        self.isColoured = isColoured
        out = lines
    }

    /// Returns the lines, with this one behind the others.
    consuming func take() -> ByteBuffer { out }

    mutating func writeTime(_ write: (inout ByteBuffer) -> Void) {
        set(.dim) { write(&$0.out) }
    }

    mutating func write(_ summary: borrowing RequestSummary, path: ByteBufferView, query: Substring?) {
        let record = summary.record
        out.writeStaticString(" ")
        set(Self.colour(of: record.status)) { line in
            line.column(3, .right) { line in
                if let status = record.status { line.out.writeDecimal(status) } else { line.out.writeStaticString("-") }
            }
        }
        out.writeStaticString(" ")
        column(Self.methodWidth, .left) { $0.writeMethod(summary.method.readableBytesView) }
        out.writeStaticString(" ")
        column(6, .right) { _ = $0.out.writeString(Self.time(summary.end - record.start)) }
        out.writeStaticString(" ")
        column(6, .right) { _ = $0.out.writeString(Self.size(record.responseBytes)) }
        out.writeStaticString("  ")
        column(20, .left) { line in
            guard let api = summary.api else {
                line.out.writeStaticString("-")
                return
            }
            line.name(api)
            guard let account = summary.account else { return }
            line.out.writeStaticString("/")
            line.name(account)
        }
        out.writeStaticString("  ")
        word((summary.authority.isEmpty ? "-" : summary.shownAuthority).utf8)
        word(path)
        if let query {
            out.writeStaticString("?")
            word(query.utf8)
        }
        writeRest(of: summary)
        out.writeStaticString("\n")
    }

    /// Writes as much of a method as the column has room for.
    private mutating func writeMethod(_ method: ByteBufferView) {
        guard !method.isEmpty else { return word("-".utf8) }
        guard method.count > Self.methodWidth else { return word(method) }
        word(method.prefix(Self.methodWidth - 1))
        out.writeStaticString("…")
    }

    /// Writes what not every request has.
    private mutating func writeRest(of summary: borrowing RequestSummary) {
        let record = summary.record
        var separator: StaticString = "  "
        func field(_ name: StaticString, _ line: inout TextAccessLine) {
            line.out.writeStaticString(separator)
            line.set(.dim) { $0.out.writeStaticString(name) }
            separator = " "
        }
        func time(_ name: StaticString, _ value: TimeAmount?, _ line: inout TextAccessLine) {
            guard let value else { return }
            field(name, &line)
            line.out.writeString(Self.time(value))
        }
        func text(_ name: StaticString, _ value: String?, _ line: inout TextAccessLine) {
            guard let value else { return }
            field(name, &line)
            line.name(value)
        }
        if let error = record.error {
            field("error=", &self)
            set(.red) { $0.out.writeString(error.rawValue) }
        }
        text("cause=", record.cause, &self)
        text("diagnosis=", record.diagnosis, &self)
        text("details=", record.details, &self)
        text("outcome=", summary.outcome, &self)
        if !record.repeats.isEmpty {
            field("repeated=", &self)
            name(record.repeats.map(\.rawValue).joined(separator: ","))
        }
        time("token=", record.tokenWait, &self)
        time("connect=", record.connectionWait, &self)
        if let times = record.connectTimes {
            time("name=", times.name, &self)
            time("tcp=", times.tcp, &self)
            time("tls=", times.tls, &self)
        }
        time("first_byte=", record.firstByte, &self)
        time("established=", record.established, &self)
        text("connection=", record.isReused.map { $0 ? "reused" : "new" }, &self)
        text("protocol=", summary.version?.protocolName, &self)
        text("upstream=", record.upstreamProtocol, &self)
        if record.requestBytes > 0 {
            field("in=", &self)
            out.writeString(Self.size(record.requestBytes))
        }
        text("client=", summary.client, &self)
        if let address = summary.address, !address.isLoopback {
            field("from=", &self)
            out.writeAddress(address)
        }
        text("trace=", summary.traceID, &self)
        if let number = record.number {
            field("request=", &self)
            out.writeDecimal(number)
        }
    }

    private static func colour(of status: Int?) -> LogColour {
        switch status ?? 599 {
        case ..<300: .green
        case ..<400: .cyan
        case ..<500: .yellow
        default: .red
        }
    }

    /// Returns a time in five characters at most, or in whole seconds.
    static func time(_ time: TimeAmount) -> String {
        let microseconds = time.nanoseconds / 1000
        return switch microseconds {
        case ..<1000: "\(microseconds)us"
        case ..<10_000: "\(microseconds / 1000).\(microseconds / 100 % 10)ms"
        case ..<1_000_000: "\(microseconds / 1000)ms"
        case ..<10_000_000: "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10)s"
        default: "\(microseconds / 1_000_000)s"
        }
    }

    /// Returns a number of bytes in six characters at most.
    static func size(_ bytes: Int) -> String {
        var (unit, value) = (1, bytes)
        var names = ["B", "kB", "MB", "GB", "TB"][...]
        while value >= 1000, names.count > 1 {
            unit *= 1000
            value = bytes / unit
            names = names.dropFirst()
        }
        let tenth = unit > 1 && value < 100 ? ".\(bytes / (unit / 10) % 10)" : ""
        return "\(value)\(tenth)\(names.first ?? "")"
    }

    // MARK: Writing

    private mutating func set(_ colour: LogColour, _ write: (inout TextAccessLine) -> Void) {
        guard isColoured else { return write(&self) }
        out.writeStaticString(colour.start)
        write(&self)
        out.writeStaticString(LogColour.end)
    }

    /// Writes something with spaces in front of it or behind it; what is wider takes as much as it needs.
    private mutating func column(_ width: Int, _ side: Side, _ write: (inout TextAccessLine) -> Void) {
        let begin = out.writerIndex
        write(&self)
        let written = out.viewBytes(at: begin, length: out.writerIndex - begin) ?? ByteBufferView(ByteBuffer())
        // Of the bytes of a character, the first one alone is none of 80 to BF.
        let missing = width - written.count { $0 & 0xC0 != 0x80 }
        guard missing > 0 else { return }
        if side == .right {
            let text = ByteBuffer(bytes: written)
            out.moveWriterIndex(to: begin)
            out.writeRepeatingByte(UInt8(ascii: " "), count: missing)
            out.writeImmutableBuffer(text)
        } else {
            out.writeRepeatingByte(UInt8(ascii: " "), count: missing)
        }
    }

    /// Writes a value as it is, or as JSON where that could pass for something else.
    private mutating func name(_ value: String) {
        if value.isPlainField { out.writeString(value) } else { out.writeJSON(value) }
    }

    /// Writes a word as it is, or with what could pass for something else escaped.
    private mutating func word(_ bytes: some Collection<UInt8>) {
        if bytes.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            out.writeBytes(bytes)
        } else {
            out.writeString(PrintableText(String(decoding: bytes, as: UTF8.self), escapesSpaces: true).description)
        }
    }
}
