import ArgumentParser

extension ExitCode {
    /// EX_DATAERR of sysexits: bad data or configuration.
    static let badData = ExitCode(65)
    /// EX_UNAVAILABLE: something the command needs cannot be had.
    static let unavailable = ExitCode(69)
}
