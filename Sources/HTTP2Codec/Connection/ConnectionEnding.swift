/// The end of a connection, as far as it is announced or has come (RFC 9113, sections 5.4.1 and 6.8).
enum ConnectionEnding: Sendable, Equatable {
    case open
    /// Our GOAWAY admits streams up to that one.
    case announced(admitting: HTTP2StreamID)
    case announcedByPeer
    case announcedByBoth(admitting: HTTP2StreamID)
    case failed(HTTP2ConnectionError)

    var failure: HTTP2ConnectionError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// The highest stream that our GOAWAY admits; nil where there was none.
    var admitted: HTTP2StreamID? {
        switch self {
        case .announced(let streamID), .announcedByBoth(let streamID): streamID
        case .open, .announcedByPeer, .failed: nil
        }
    }

    var isAnnouncedByPeer: Bool {
        switch self {
        case .announcedByPeer, .announcedByBoth: true
        case .open, .announced, .failed: false
        }
    }

    /// Notes our GOAWAY.
    ///
    /// - Returns: False when it would say nothing new, and is not to be sent.
    mutating func announce(admitting streamID: HTTP2StreamID) -> Bool {
        if let admitted, admitted <= streamID { return false }
        switch self {
        case .open, .announced: self = .announced(admitting: streamID)
        case .announcedByPeer, .announcedByBoth: self = .announcedByBoth(admitting: streamID)
        case .failed: return false
        }
        return true
    }

    /// Notes the peer's GOAWAY.
    mutating func receiveAnnouncement() {
        switch self {
        case .open: self = .announcedByPeer
        case .announced(let streamID): self = .announcedByBoth(admitting: streamID)
        case .announcedByPeer, .announcedByBoth, .failed: break
        }
    }
}
