import Foundation

/// All published facts.
package enum VectorFile {
    package static let all: [Vector] = {
        guard
            let url = Bundle.module.url(forResource: "oauth1-vectors", withExtension: "jsonl", subdirectory: "Vectors"),
            let text = try? String(contentsOf: url, encoding: .utf8)
        else { return [] }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return text.split(separator: "\n").compactMap { try? decoder.decode(Vector.self, from: Data($0.utf8)) }
    }()

    package static func of(_ kind: Vector.Kind, _ conformance: Vector.Conformance? = nil) -> [Vector] {
        all.filter { $0.kind == kind && (conformance == nil || $0.conformance == conformance) }
    }
}
