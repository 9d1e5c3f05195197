/// The exchange of SETTINGS (RFC 9113, sections 3.4 and 6.5): the peer's settings, and whether ours hold.
struct SettingsExchange: Sendable {
    enum Stage: Sendable {
        /// The peer's first frame has not come, which is SETTINGS.
        case awaitingPeer
        /// The peer has not acknowledged our settings.
        case awaitingAcknowledgement
        /// The settings of both sides hold.
        case complete
    }

    /// A setting of the peer that more depends on than what is sent next.
    enum Change: Sendable, Equatable {
        /// The size that the peer's table may have (RFC 7541, section 4.2).
        case tableLimit(Int)
        /// The windows of all streams become larger or smaller by that.
        case streamWindows(difference: Int)
    }

    private(set) var stage = Stage.awaitingPeer
    private(set) var peer = PeerSettings()

    /// Notes a frame of the peer with settings.
    ///
    /// - Returns: Whether it is the first.
    mutating func beginPeerSettings() -> Bool {
        guard stage == .awaitingPeer else { return false }
        stage = .awaitingAcknowledgement
        return true
    }

    /// Notes an acknowledgement of our settings, which follows the peer's.
    ///
    /// - Returns: Whether it is the first.
    mutating func acknowledge() -> Bool {
        guard stage == .awaitingAcknowledgement else { return false }
        stage = .complete
        return true
    }

    /// Takes one of the peer's settings.
    ///
    /// - Parameter role: The role of this side.
    mutating func apply(_ parameter: UInt16, _ value: UInt32, role: HTTP2Role) throws(HTTP2ConnectionError) -> Change? {
        switch SettingsParameter(rawValue: parameter) {
        case .headerTableSize:
            return .tableLimit(Int(value))
        case .enablePush:
            guard value == 0 || (value == 1 && role == .server) else { throw .settingInvalid }
        case .maxConcurrentStreams:
            peer.maxConcurrentStreams = Int(value)
        case .initialWindowSize:
            let window = Int(value)
            guard window <= WindowSize.largest else { throw .initialWindowTooLarge }
            defer { peer.initialWindow = window }
            return .streamWindows(difference: window - peer.initialWindow)
        case .maxFrameSize:
            guard (16_384...16_777_215).contains(value) else { throw .settingInvalid }
            peer.maxFrameSize = Int(value)
        case .maxHeaderListSize:
            // Advisory: a peer that minds answers with 431 or a reset, which reaches whoever sent the head.
            break
        case .noRFC7540Priorities:
            guard value <= 1 else { throw .settingInvalid }
        case nil:
            break
        }
        return nil
    }
}
