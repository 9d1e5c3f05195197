import Testing

@testable import paraph

@Suite("The variables of a service manager")
struct ServiceEnvironmentTests {
    private func read(_ variables: [String: String]) -> ServiceEnvironment {
        ServiceEnvironment(variables, process: 42)
    }

    @Test("are taken when they are meant for this process")
    func own() {
        let found = read([
            "NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42",
            "LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "proxy:admin",
        ])
        #expect(found.notifySocket == "/run/notify")
        #expect(found.watchdogInterval == .seconds(30))
        #expect(found.sockets?.count == "2")
        #expect(found.sockets?.names == "proxy:admin")
        #expect(read(["WATCHDOG_USEC": "1"]).watchdogInterval == .microseconds(1))
    }

    @Test("are left aside when they are absent, or meant for another process")
    func others() {
        let none = read([:])
        for variables in [
            ["NOTIFY_SOCKET": ""], ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "41"], ["WATCHDOG_USEC": "0"],
            ["WATCHDOG_USEC": "x"], ["LISTEN_PID": "41", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"], ["LISTEN_PID": "42"],
        ] {
            #expect(read(variables) == none)
        }
    }

    @Test("that count no sockets, or name others, are a mistake", arguments: ["x", "-1", "100000"])
    func mistakes(_ count: String) {
        #expect(throws: PassedSockets.Unusable.self) {
            try PassedSockets.read(read(["LISTEN_PID": "42", "LISTEN_FDS": count]))
        }
        #expect(throws: PassedSockets.Unusable.self) {
            try PassedSockets.read(read(["LISTEN_PID": "42", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "a:b"]))
        }
    }
}
