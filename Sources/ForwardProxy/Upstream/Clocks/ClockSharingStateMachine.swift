import Credentials

/// The order of events by which a replica tells others a provider's time, and takes it from them.
///
/// 1. A replica that learns from a provider's refusal that the provider's clock is another announces it. The announcement
///    is known by the store's revision at which it was written.
/// 2. Whoever reads an announcement, or what follows one, that is not the last which it went by has missed something, and
///    asks.
/// 3. Whoever goes by that announcement answers with the provider's time: its own clock and the offset that it has.
/// 4. The answer is taken if its question was written after the asker had begun to wait, and that was not long ago by the
///    asker's own monotonic clock. So however late the answer is seen, and however long its writer had stood still, the
///    time in it is no older than the wait. Other replicas that wait take it as well.
///
/// What was taken is not announced: one learns, and all others take. No two machines' wall clocks are compared, nor is any
/// time of the store.
struct ClockSharingStateMachine {
    /// The time for which an asker waits: by as much an answer's time may be wrong.
    static let answerLimit = Duration.seconds(2)
    /// Seconds by which two offsets may differ that count as the same one.
    static let tolerance: Int64 = 2
    /// The number of times that is asked after one announcement: nobody may know any more.
    static let questionLimit = 5
    /// The number of announcements that are made at once, and the time after which as many may follow: a provider may have
    /// several clocks that are apart, and refuse for ever.
    static let announcementLimit = 3
    static let announcementPeriod = Duration.seconds(15)

    enum Action: Equatable {
        /// Nothing is to be done until something changes.
        case rest
        /// Nothing is to be done until something changes, or a time has come.
        case restUntil(ContinuousClock.Instant)
        case write(SharedClockRecord)
        /// A record is to be written, and others may be about to write the same.
        case answer(SharedClockRecord)
        /// The provider's clock is another replica's.
        case take(offset: Int64)
        /// An offset that was taken is not the provider's.
        /// - Parameter before: The offset that it took the place of.
        case drop(offset: Int64, before: Int64)
    }

    /// This replica's idea of the provider's time.
    struct Estimate {
        /// This machine's clock, in seconds since 1970-01-01T00:00:00Z.
        var machine: Int64
        /// The provider's time minus this machine's; nil: not known to be another.
        var offset: Int64?
        /// Indicates whether the offset has been known only for a moment, so that the provider may still refuse it.
        var isOnProbation = false

        var time: Int64 { max(0, machine.addingReportingOverflow(offset ?? 0).partialValue) }

        func agrees(with time: Int64) -> Bool {
            time.subtractingReportingOverflow(self.time).partialValue.magnitude <= ClockSharingStateMachine.tolerance
        }
    }

    private enum Lesson {
        case learnt
        case unlearnt
    }

    /// The news that the provider has told since the last announcement.
    private enum News {
        case none
        case untold(Lesson)
        /// The announcement of it is decided on, and may be written by now.
        case announced(Lesson)

        var lesson: Lesson? {
            switch self {
            case .none: nil
            case .untold(let lesson), .announced(let lesson): lesson
            }
        }
    }

    private struct Wait {
        let since: ContinuousClock.Instant
        /// The revision of the store at that time: a record with a later one was written since.
        let storeRevision: Int64
    }

    private var news = News.none
    /// The announcement that this replica goes by.
    private var followed: Int64?
    /// The last announcement of its own.
    private var own: Int64?
    private var wait: Wait?
    /// The number of questions that followed an announcement.
    private var questions: (announcement: Int64, count: Int)?
    /// The offset that was taken last, and the one before, as long as it is in use.
    private var taken: (offset: Int64, before: Int64)?
    private var announcementTimes: [ContinuousClock.Instant] = []

    // MARK: Events

    /// The provider's clock was learnt from its own answer, and has been in use for a while.
    mutating func learnt() {
        taken = nil
        news = .untold(.learnt)
    }

    /// Notes that what was learnt last is not the provider's clock.
    mutating func unlearnt() {
        news = .untold(.unlearnt)
    }

    /// Another store is shared from now on.
    mutating func storeChanged() {
        (followed, own, wait, questions) = (nil, nil, nil, nil)
    }

    /// The record was read.
    /// - Parameters:
    ///   - begin: The moment before it was read.
    ///   - now: The present moment, when the estimate was made.
    mutating func read(
        _ reading: SharedClockReading,
        _ estimate: Estimate,
        from begin: ContinuousClock.Instant,
        at now: ContinuousClock.Instant
    ) -> Action {
        if let action = tell(reading, estimate, at: now) { return action }
        guard let record = reading.record else {
            // It is the first one, was removed, or is of no use.
            return estimate.offset == nil || estimate.isOnProbation ? .rest : announce(estimate, reading, at: now)
        }
        let announcement = reading.announcement
        if announcement == followed {
            wait = nil
            guard record.content == .question else { return .rest }
            return .answer(
                SharedClockRecord(.time(estimate.time, question: reading.revision), following: announcement)
            )
        }
        switch record.content {
        case .retraction:
            follow(announcement)
            guard let (offset, before) = taken else { return .rest }
            taken = nil
            return .drop(offset: offset, before: before)
        case .time(let time, let question?) where isAwaited(question, at: now):
            follow(announcement)
            guard !estimate.agrees(with: time) else { return .rest }
            let offset = time.subtractingReportingOverflow(estimate.machine).partialValue
            taken = (offset, estimate.offset ?? 0)
            return .take(offset: offset)
        case .question where isAwaited(reading.revision, at: now):
            // Whoever answers that one answers this replica's wait.
            return .rest
        case .time, .question:
            return ask(after: announcement, reading, from: begin)
        }
    }

    /// The record was written that ``read(_:_:from:at:)`` asked for.
    mutating func wrote(_ record: SharedClockRecord, at revision: Int64, _ now: ContinuousClock.Instant) {
        guard record.announcement == nil else { return }
        follow(revision)
        own = revision
        announcementTimes = announcementTimes.suffix(Self.announcementLimit - 1) + [now]
        if case .announced = news { news = .none }
    }

    /// The offset that was to be taken is known to be none of the provider's.
    mutating func refused() {
        taken = nil
        questions = followed.map { ($0, Self.questionLimit) }
        followed = nil
    }

    // MARK: Decisions

    /// - Returns: Nil when there is nothing to tell.
    private mutating func tell(
        _ reading: SharedClockReading,
        _ estimate: Estimate,
        at now: ContinuousClock.Instant
    ) -> Action? {
        switch news.lesson {
        case nil: return nil
        case .learnt:
            guard case .time(let time, _) = reading.record?.content, estimate.agrees(with: time) else {
                return announce(estimate, reading, at: now)
            }
            // Somebody else has just learnt the same.
            follow(reading.announcement)
        case .unlearnt:
            // Not announced yet, or followed by another announcement by now.
            guard let own, reading.record != nil, reading.announcement == own else { break }
            return announce(estimate, reading, at: now)
        }
        news = .none
        return nil
    }

    private mutating func announce(
        _ estimate: Estimate,
        _ reading: SharedClockReading,
        at now: ContinuousClock.Instant
    ) -> Action {
        if let first = announcementTimes.first, announcementTimes.count == Self.announcementLimit,
            now < first + Self.announcementPeriod
        {
            return .restUntil(first + Self.announcementPeriod)
        }
        if let lesson = news.lesson { news = .announced(lesson) }
        guard news.lesson == .learnt || estimate.offset != nil else { return .write(SharedClockRecord(.retraction)) }
        let question = reading.record?.content == .question ? reading.revision : nil
        return .write(SharedClockRecord(.time(estimate.time, question: question)))
    }

    private mutating func ask(
        after announcement: Int64,
        _ reading: SharedClockReading,
        from begin: ContinuousClock.Instant
    ) -> Action {
        let count = questions?.announcement == announcement ? questions?.count ?? 0 : 0
        guard count < Self.questionLimit else { return .rest }
        questions = (announcement, count + 1)
        wait = Wait(since: begin, storeRevision: reading.storeRevision)
        return .write(SharedClockRecord(.question, following: announcement))
    }

    /// Returns whether a question was written after this replica had begun to wait, and it waits still.
    private func isAwaited(_ question: Int64, at now: ContinuousClock.Instant) -> Bool {
        guard let wait else { return false }
        return question > wait.storeRevision && now <= wait.since + Self.answerLimit
    }

    private mutating func follow(_ announcement: Int64) {
        followed = announcement
        wait = nil
    }
}
