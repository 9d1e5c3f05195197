package import Testing

extension Trait where Self == TimeLimitTrait {
    /// The one limit of every test that waits for a socket, a process or another task. Only a fault reaches it.
    package static var generousLimit: Self { .timeLimit(.minutes(5)) }
}

extension Trait where Self == TimedTrait {
    /// The tests' own times are written down, without their waiting for a turn.
    package static var timed: Self { TimedTrait() }
}
