/// An event in the life of a request, as an onlooker is told it.
package enum JournalEvent: Sendable {
    /// The head has come.
    case begun(InspectedRequest)
    case ended(InspectedRequest)
}
