import NIOCore

@testable import ForwardProxy

/// A client's connection on which nothing happens, and from which nothing can be had.
final class StillConnection: ClientConnection {
    let peer = EmbeddedProxy.peer
    let clientName: String? = nil
    let keptSince: NIODeadline? = nil
    let silentSince: NIODeadline? = nil
    let unnamedSince: NIODeadline? = nil
    let isPlaced = true
    let admission: ConnectionCounter.Place? = nil
    let mayGiveWay = false
    private let usage: ClientUsage

    init(of usage: ClientUsage) {
        self.usage = usage
    }

    func usage(of name: String?) -> ClientUsage { usage }
    func slowSince(at now: NIODeadline) -> NIODeadline? { nil }
    func unreadSince(at now: NIODeadline) -> NIODeadline? { nil }
    func heldMemory(of client: ClientUsage) -> [HeldMemory] { [] }
    func endUnfinishedHead() -> Bool { false }
    func giveWay() {}
    func configurationChanged() {}
    func drain() {}
    func closeNow() {}
}
