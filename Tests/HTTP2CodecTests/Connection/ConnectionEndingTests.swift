import Testing

@testable import HTTP2Codec

@Suite struct ConnectionEndingTests {
    enum Event { case announce(HTTP2StreamID), receive }

    @Test(
        arguments: [
            ([.announce(7)], .announced(admitting: 7)), ([.receive], .announcedByPeer),
            ([.announce(.last), .announce(7)], .announced(admitting: 7)),
            ([.announce(7), .receive], .announcedByBoth(admitting: 7)),
            ([.receive, .announce(7)], .announcedByBoth(admitting: 7)),
            ([.receive, .announce(7), .receive, .announce(5)], .announcedByBoth(admitting: 5)),
        ] as [([Event], ConnectionEnding)]
    )
    func `Each side announces the end by itself`(_ events: [Event], _ expected: ConnectionEnding) {
        var ending = ConnectionEnding.open
        for event in events {
            switch event {
            case .announce(let streamID):
                let isNew = ending.announce(admitting: streamID)
                #expect(isNew)
            case .receive: ending.receiveAnnouncement()
            }
        }
        #expect(ending == expected)
        #expect(ending.failure == nil)
    }

    @Test(
        arguments: [
            (.open, nil, false), (.announced(admitting: 7), 7, false), (.announcedByPeer, nil, true),
            (.announcedByBoth(admitting: 7), 7, true), (.failed(.settingsMissing), nil, false),
        ] as [(ConnectionEnding, HTTP2StreamID?, Bool)]
    )
    func `A state tells what each side has announced`(
        _ ending: ConnectionEnding,
        _ admitted: HTTP2StreamID?,
        _ isAnnouncedByPeer: Bool
    ) {
        #expect(ending.admitted == admitted)
        #expect(ending.isAnnouncedByPeer == isAnnouncedByPeer)
    }

    @Test(arguments: [7, 9, .last] as [HTTP2StreamID])
    func `What was not admitted is not admitted later`(_ streamID: HTTP2StreamID) {
        var ending = ConnectionEnding.announced(admitting: 7)
        let isNew = ending.announce(admitting: streamID)
        #expect(!isNew)
        #expect(ending == .announced(admitting: 7))
    }

    @Test func `A failure is the end`() {
        var ending = ConnectionEnding.failed(.settingsMissing)
        let isNew = ending.announce(admitting: 7)
        #expect(!isNew)
        ending.receiveAnnouncement()
        #expect(ending == .failed(.settingsMissing))
        #expect(ending.failure == .settingsMissing)
    }
}
