import ArgumentParser

extension ExitCode {
    /// EX_DATAERR of sysexits: bad data or configuration.
    static let badData = ExitCode(65)
    /// EX_UNAVAILABLE: something the command needs cannot be had.
    static let unavailable = ExitCode(69)
    /// EX_IOERR: what was to be written is not.
    static let notWritten = ExitCode(74)
    /// EX_NOPERM: the command did what it should, and the answer is no.
    static let refused = ExitCode(77)
}
