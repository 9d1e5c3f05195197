import ArgumentParser

/// The format in which a certificate is written for clients.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    case pem
    case der
    case pkcs12

    var isText: Bool { self == .pem }
}
