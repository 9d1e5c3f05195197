import ArgumentParser

extension ExitCode {
    /// EX_DATAERR of sysexits: bad data or configuration.
    static let badData = ExitCode(65)
}
