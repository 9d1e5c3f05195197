import HTTP1Codec
import NIOCore

/// The way to a tunnel through another proxy (RFC 9110, section 9.3.6), as a plain value.
///
/// 1. *Connecting* to the proxy, as it begins.
/// 2. *Asked* for the tunnel, by ``connected(timer:)``: the bytes that come are the answer.
/// 3. *Over*, from where nothing leads on: the tunnel is open, or will never be.
///
/// `Timer` is what ends the wait for the answer.
struct ProxyTunnelStateMachine<Timer>: ~Copyable {
    private enum State {
        case connecting
        case asked(Timer)
        case over
    }

    private var state = State.connecting
    private var decoder: ResponseDecoder

    init(limits: MessageLimits) {
        decoder = ResponseDecoder(limits: limits)
    }

    enum ConnectAction: Equatable {
        /// Ask for the tunnel.
        case ask
        case none
    }

    /// - Parameter timer: Begins the time that the answer may take.
    mutating func connected(timer: @autoclosure () -> Timer) -> ConnectAction {
        guard case .connecting = state else { return .none }
        state = .asked(timer())
        decoder.expect(responseTo: .connect)
        return .ask
    }

    enum AnswerAction {
        case none
        /// The tunnel is open; cancel the timer.
        ///
        /// - Parameter early: The bytes that have come through it already.
        case open(Timer, early: ByteBuffer)
        /// Cancel the timer, and tell whoever waits for the tunnel.
        case fail(Timer, UpstreamProxyFailure)
    }

    mutating func received(_ bytes: ByteBuffer) -> AnswerAction {
        guard case .asked(let timer) = state else { return .none }
        decoder.append(bytes)
        do throws(MessageError) {
            while let event = try decoder.next() {
                guard case .head(let head) = event, !head.isInformational else { continue }
                state = .over
                guard 200...299 ~= head.status else { return .fail(timer, .refused(status: head.status)) }
                return .open(timer, early: decoder.takeBuffered())
            }
            return .none
        } catch {
            state = .over
            return .fail(timer, .malformed(error))
        }
    }

    enum EndAction {
        /// Cancel the timer, if the tunnel was asked for, and tell whoever waits for it.
        case fail(Timer?)
        case none
    }

    /// The connection has ended, or the answer has not come in time.
    mutating func ended() -> EndAction {
        defer { state = .over }
        switch state {
        case .connecting: return .fail(nil)
        case .asked(let timer): return .fail(timer)
        case .over: return .none
        }
    }
}

extension ProxyTunnelStateMachine.AnswerAction: Equatable where Timer: Equatable {}
extension ProxyTunnelStateMachine.EndAction: Equatable where Timer: Equatable {}
