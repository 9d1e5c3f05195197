/// The memory that a client's connection holds of `limits.collected` for one request, as others see it who want some.
struct HeldMemory {
    let bytes: Int
    /// Refuses the request, or has it go on without.
    let giveBack: () -> Void
}
