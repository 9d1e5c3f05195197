extension DeviationCatalogue {
    var methodDeviations: [Deviation] {
        let written = request.method
        let cases = [written, written.map(\.lowercasedASCII)].map { method in
            let text = String(decoding: method, as: UTF8.self)
            return Deviation(.methodCase, "The other side signed the method as \(text); it must be upper case.") {
                $0.method = method
            }
        }
        let real = String(decoding: reference.method, as: UTF8.self)
        let others = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map { method in
            Deviation(.method, "The other side signed the method \(method); the request is \(real).") {
                $0.method = Array(method.utf8)
            }
        }
        return cases + others
    }
}
