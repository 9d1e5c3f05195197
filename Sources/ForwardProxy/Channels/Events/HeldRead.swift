/// The read that a channel asks for while there is no room for what it would bring, and that is made up for as soon as
/// there is.
struct HeldRead: Equatable {
    enum Action: Equatable {
        case read
        /// The channel is not read, or not yet.
        case hold
    }

    /// Indicates whether a read is to be made up for.
    private(set) var isHeld = false

    /// The channel asks to be read.
    mutating func requested(hasRoom: Bool) -> Action {
        if hasRoom { return .read }
        isHeld = true
        return .hold
    }

    /// There is room.
    mutating func released() -> Action {
        guard isHeld else { return .hold }
        isHeld = false
        return .read
    }
}
