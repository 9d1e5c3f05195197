/// The states of one end of a tunnel, and what each event makes of them.
///
/// An end in order is one of a single direction; the connection is over when both have ended. Any other end breaks the
/// whole connection, from which no end in order comes any more.
struct TunnelEndStateMachine {
    /// The way in which a connection ends that does not end in order.
    enum Break: Equatable {
        /// The connection ends as TCP has it, but without TLS's close_notify.
        case unannounced
        case reset
    }

    private enum Output {
        case open
        /// The side ends as soon as the system has taken what is written, or has ended.
        case closing(OrderlyClose)

        var hasEnded: Bool {
            if case .closing(let close) = self { close.outputHasEnded } else { false }
        }
    }

    private enum State {
        case open(inputHasEnded: Bool, Output)
        case broken
    }

    private var state = State.open(inputHasEnded: false, .open)
    private var heldRead = HeldRead()

    // MARK: Input

    enum InputClosedAction: Equatable {
        case none
        /// End the partner's output, and close the connection where its own output has ended before.
        case passOn(closes: Bool)
    }

    mutating func inputClosed() -> InputClosedAction {
        // One that TLS did not announce has been told as an error before.
        guard case .open(_, let output) = state else { return .none }
        state = .open(inputHasEnded: true, output)
        guard case .closing(let close) = output else { return .passOn(closes: false) }
        return .passOn(closes: close.inputClosed() == .close)
    }

    enum ErrorAction: Equatable {
        case none
        /// Cut the partner off in the same way, and close.
        case breakOff(Break)
    }

    /// - Parameter isMissingCloseNotify: Whether the connection ended without TLS's close_notify.
    func failed(isMissingCloseNotify: Bool) -> ErrorAction {
        guard case .open(let inputHasEnded, _) = state else { return .none }
        guard isMissingCloseNotify else { return .breakOff(.reset) }
        // Nothing is missing when an end in order came before: then it is of TLS that another proxy is spoken to by.
        return inputHasEnded ? .none : .breakOff(.unannounced)
    }

    enum InactiveAction: Equatable {
        case endPartnersOutput
        case cutPartnerOff
    }

    /// A channel whose output has ended closes at the end of its input, without an event that says so. The partner may
    /// still have bytes to write then.
    func becameInactive() -> InactiveAction {
        if case .open(_, let output) = state, output.hasEnded { .endPartnersOutput } else { .cutPartnerOff }
    }

    // MARK: Output

    enum EndOutputAction: Equatable {
        case none
        /// Report ``outputTaken()`` once the system has taken what is written.
        case awaitWrites
    }

    /// The partner's input has ended in order.
    mutating func endOutput() -> EndOutputAction {
        guard case .open(let inputHasEnded, .open) = state else { return .none }
        state = .open(inputHasEnded: inputHasEnded, .closing(OrderlyClose()))
        return .awaitWrites
    }

    mutating func outputTaken() -> OrderlyClose.OutputTakenAction {
        guard case .open(let inputHasEnded, .closing(var close)) = state else { return .none }
        defer { state = .open(inputHasEnded: inputHasEnded, .closing(close)) }
        return close.outputTaken(inputHasEnded: inputHasEnded)
    }

    // MARK: The end that is not in order

    enum CutOffAction: Equatable {
        case none
        /// Close once the system has taken what is written.
        case awaitWrites
    }

    /// The partner is lost: what came from it is still to be written.
    mutating func cutOff() -> CutOffAction {
        guard case .open = state else { return .none }
        state = .broken
        return .awaitWrites
    }

    mutating func closed() {
        state = .broken
    }

    // MARK: Reads

    mutating func read(partnerIsWritable: Bool) -> HeldRead.Action {
        heldRead.requested(hasRoom: partnerIsWritable)
    }

    mutating func partnerBecameWritable() -> HeldRead.Action {
        heldRead.released()
    }
}
