/// A message between replicas on the clock of an API's provider: an announcement, or a question or an answer that
/// follows one.
package struct SharedClockRecord: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// The provider's time, in seconds since 1970-01-01T00:00:00Z, when this was written.
        /// - Parameter question: The revision of the question that it answers; nil: of none.
        case time(Int64, question: Int64?)
        /// Somebody wants to know the provider's time.
        case question
        /// The withdrawal of an announcement that was not of the provider's time.
        case retraction
    }

    /// The revision of the announcement that it follows; nil: it is one itself.
    package let announcement: Int64?
    package let content: Content

    /// - Parameter announcement: The revision of the announcement that it follows; nil: it is one itself.
    package init(_ content: Content, following announcement: Int64? = nil) {
        self.announcement = announcement
        self.content = content
    }
}
