import ParaphConfiguration

/// The configuration itself: it has been read by now, so it has no mistakes.
struct ConfigurationExamination {
    let configuration: Configuration

    func findings() -> [Finding] {
        [Finding("configuration", .works, configuration.summary)]
            + configuration.advice.map { Finding("", .warns, $0.line(file: configuration.file)) }
    }
}
