import Credentials
import HTTP1Codec
import Logging
import NIOCore
import Settings

/// A refused timestamp tells that the provider's clock is another than this machine's.
extension Exchange {
    /// Returns whether the provider's clock was learnt from its answer, so that another timestamp is worth a try.
    func followsClock(
        _ authorization: ReadyAuthorization,
        _ account: AccountReference,
        _ response: ResponseHead
    ) -> Bool {
        let api = context.apis[account.api]
        let before = api.clock.currentOffset
        guard authorization.correctsClock, let offset = clockOffset(response),
            api.followsClock(offset, context.logger)
        else { return false }
        inspection.learntOffset = (offset, before)
        inspection.note = "That clock is followed from now on: send the request again."
        return true
    }

    /// The request was repeated by the clock that was learnt, and that was refused too: it is not the provider's.
    func unlearnClock(_ account: AccountReference) {
        guard let (learnt, before) = inspection.learntOffset else { return }
        inspection.learntOffset = nil
        inspection.note = "A timestamp by the provider's Date field was refused, too."
        let api = context.apis[account.api]
        guard api.clock.unlearn(offset: learnt, before: before) else { return }
        context.logger.warning(
            "the provider's clock is not followed: it refused the time of its own answer",
            metadata: ["api": "\(api.settings.name)", "offset_seconds": "\(before)"]
        )
    }

    /// The provider's clock minus this machine's, in seconds, as far as that may be why it refused the request: nil
    /// when the request was signed by the provider's clock.
    func clockDifference(_ response: ResponseHead) -> Int64? {
        guard let offset = clockOffset(response) else { return nil }
        guard let signedWith else { return offset }
        let signed = Int64(clamping: signedWith.timestamp) - context.clock.coarseWallSeconds
        return offset.subtractingReportingOverflow(signed).partialValue.magnitude > 5 ? offset : nil
    }

    private func clockOffset(_ response: ResponseHead) -> Int64? {
        let now = context.clock.coarseWallSeconds
        let byDate = response.fields.string(of: .date).flatMap { ClockOffset.read(date: $0, now: now) }
        guard let acceptable = inspection.diagnosis?.acceptableTimestamps else { return byDate }
        if let byDate, acceptable.contains(UInt64(max(0, now + byDate))) { return byDate }
        return ClockOffset.read(acceptable: acceptable, now: now)
    }
}
