import Glibc
import TestSupport
import Testing

@testable import paraph

@Suite struct CommandTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [
        ("ls", "/a:/b", ["/a/ls", "/b/ls"]),
        ("ls", "/a::/b:", ["/a/ls", "ls", "/b/ls", "ls"]),
        ("./ls", "/a:/b", ["./ls"]),
        ("/x/ls", "/a", ["/x/ls"]),
        ("ls", nil, ["/usr/local/bin/ls", "/usr/bin/ls", "/bin/ls"]),
    ])
    func `a command is looked for as a shell does`(name: String, path: String?, places: [String]) {
        let found = CommandLocation.candidates(bytes(name), searchPath: path.map(bytes))
        #expect(found == places.map(bytes))
    }

    @Test func `a command that is in no place of PATH is told apart from one that may not be run`() throws {
        let directory = try TestDirectory()
        let file = try directory.write("#!/bin/sh\n", to: "not-executable")
        let program = ProgramStart(
            path: [],
            arguments: [bytes("not-executable")],
            environment: [],
            streams: .inherited,
            signals: .none
        )
        // A place that is a file is passed over as one that is not there.
        #expect(throws: CommandLocation.Failure.notFound("not-executable")) {
            try CommandLocation.start(program, searchPath: bytes("\(file):\(directory("nowhere"))"))
        }
        let failure = #expect(throws: CommandLocation.Failure.self) {
            try CommandLocation.start(program, searchPath: bytes("\(file):\(directory.path):\(file)"))
        }
        #expect(failure?.exitCode == 126)
    }

    @Test(
        arguments: [
            (0, CommandEnding.exited(0)), (37 << 8, .exited(37)), (200 << 8, .exited(200)),
            (15, .signalled(15)), (0x8B, .signalled(11)),
        ] as [(Int32, CommandEnding)]
    )
    func `an ending is read as waitpid tells it`(status: Int32, ending: CommandEnding) {
        #expect(CommandEnding(status: status) == ending)
    }

    @Test func `a command's environment is as it was, but for what is assigned and what is taken away`() {
        let present =
            ["A=1", "SECRET=x", "A2=2", "PROXY=old", "odd", "=odd", "B=a=b"].map(bytes) + [[0x43, 0x3D, 0xFF]]
        let entries = CommandEnvironment.entries(
            present: present,
            removed: ["SECRET", "NOT_THERE"],
            assigned: [("PROXY", "new"), ("MORE", "")]
        )
        #expect(
            entries == ["A=1", "A2=2", "odd", "=odd", "B=a=b"].map(bytes) + [[0x43, 0x3D, 0xFF]]
                + ["PROXY=new", "MORE="].map(bytes)
        )
    }

    @Test func `ignored and blocked signals are read from the process's status`() {
        let status = "Name:\tx\nSigBlk:\t0000000000000800\nSigIgn:\t0000000000001001\nSigCgt:\tffffffffffffffff\n"
        let signals = InheritedSignals(status: status, blocked: 0x800)
        #expect(InheritedSignals.all.filter(signals.ignores) == [SIGHUP, SIGPIPE])
        #expect(InheritedSignals.all.filter(signals.blocks) == [SIGUSR2])
        #expect(InheritedSignals(status: "", blocked: 0) == .none)
        #expect(!InheritedSignals.all.contains(SIGKILL) && !InheritedSignals.all.contains(SIGSTOP))
    }

    @Test(
        arguments: [
            ([:], nil), (["HTTPS_PROXY": ""], nil), (["HTTPS_PROXY": "http://proxy:3128"], "HTTPS_PROXY"),
            (["https_proxy": "http://u:p@10.0.0.1:3128/"], "https_proxy"), (["ALL_PROXY": "socks5://x:1"], "ALL_PROXY"),
            (["HTTPS_PROXY": "http://127.0.0.1:8080"], nil), (["https_proxy": "http://[::1]:8080/"], nil),
            (["https_proxy": "localhost:8080"], nil), (["HTTP_PROXY": "http://proxy:3128"], nil),
        ] as [([String: String], String?)]
    )
    func `another proxy that is replaced is told of, unless it is on this machine`(
        environment: [String: String],
        name: String?
    ) {
        #expect(ReplacedProxy.name(in: environment) == name)
    }

    @Test(arguments: [
        (SIGINT, true), (SIGTERM, true), (SIGHUP, true), (SIGQUIT, true), (SIGUSR1, false), (SIGWINCH, false),
    ])
    func `some signals mean that a command is not to begin`(signal: Int32, prevents: Bool) {
        let note = SignalPipe.Note(signal: signal, isFromKernel: true, sender: 0)
        #expect(CommandSupervisor.prevents(note) == prevents)
    }
}
