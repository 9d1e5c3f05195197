/// The settings that are understood (RFC 9113, section 6.5.2; RFC 9218, section 2.1); any other is ignored.
enum SettingsParameter: UInt16, Sendable {
    case headerTableSize = 0x1
    case enablePush = 0x2
    case maxConcurrentStreams = 0x3
    case initialWindowSize = 0x4
    case maxFrameSize = 0x5
    case maxHeaderListSize = 0x6
    case noRFC7540Priorities = 0x9
}
