import HTTP1Codec
import NIOCore

/// The way to a tunnel through another proxy (RFC 9110, section 9.3.6), as a plain value.
///
/// 1. *Connecting* to the proxy, as it begins.
/// 2. *Asked* for the tunnel, by ``connected()``: the bytes that come are the answer.
/// 3. *Over*, from where nothing leads on: the tunnel is open, or will never be.
struct ProxyTunnelStateMachine: ~Copyable {
    private enum State {
        case connecting
        case asked
        case over
    }

    private var state = State.connecting
    private var decoder: ResponseDecoder

    init(limits: MessageLimits) {
        decoder = ResponseDecoder(limits: limits)
    }

    enum ConnectAction: Equatable {
        /// Ask for the tunnel, and see to the time that the answer may take.
        case ask
        case none
    }

    mutating func connected() -> ConnectAction {
        guard state == .connecting else { return .none }
        state = .asked
        decoder.expect(responseTo: .connect)
        return .ask
    }

    enum AnswerAction: Equatable {
        case none
        /// The tunnel is open.
        ///
        /// - Parameter early: The bytes that have come through it already.
        case open(early: ByteBuffer)
        case fail(UpstreamProxyFailure)
    }

    mutating func received(_ bytes: ByteBuffer) -> AnswerAction {
        guard state == .asked else { return .none }
        decoder.append(bytes)
        do throws(MessageError) {
            while let event = try decoder.next() {
                guard case .head(let head) = event, !head.isInformational else { continue }
                state = .over
                guard 200...299 ~= head.status else { return .fail(.refused(status: head.status)) }
                return .open(early: decoder.takeBuffered())
            }
            return .none
        } catch {
            state = .over
            return .fail(.malformed(error))
        }
    }

    enum EndAction: Equatable {
        /// Tell whoever waits for the tunnel.
        case fail
        case none
    }

    /// The connection has ended, or the answer has not come in time.
    mutating func ended() -> EndAction {
        guard state != .over else { return .none }
        state = .over
        return .fail
    }
}
