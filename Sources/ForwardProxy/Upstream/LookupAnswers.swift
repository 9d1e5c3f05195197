import NIOCore

/// The answers to what was asked about one name: the first that has an address counts.
final class LookupAnswers {
    private let promise: EventLoopPromise<[SocketAddress]>
    private var awaited = 0
    private(set) var isOver = false

    /// - Parameter promise: succeeds with no address when none of the answers has one.
    init(_ promise: EventLoopPromise<[SocketAddress]>) {
        self.promise = promise
    }

    /// One more answer is to come.
    func expectOne() {
        awaited += 1
    }

    func receive(_ addresses: [SocketAddress]) {
        awaited -= 1
        guard !isOver, !addresses.isEmpty || awaited == 0 else { return }
        isOver = true
        promise.succeed(addresses)
    }
}

@available(*, unavailable)
extension LookupAnswers: Sendable {}
