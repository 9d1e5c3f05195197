import Foundation
import Testing

/// A data file of the tests.
enum Fixture {
    static func json<Value: Decodable>(_ name: String, as _: Value.Type = Value.self) throws -> Value {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data(contentsOf: url))
    }
}
