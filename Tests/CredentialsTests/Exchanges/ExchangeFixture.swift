import Foundation
import Testing

/// A data file of the tests.
enum ExchangeFixture {
    static func json<Value: Decodable>(_ name: String, as _: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data(contentsOf: url(name, "json")))
    }

    static func text(_ name: String, _ kind: String) throws -> String {
        String(decoding: try Data(contentsOf: url(name, kind)), as: UTF8.self)
    }

    private static func url(_ name: String, _ kind: String) throws -> URL {
        try #require(Bundle.module.url(forResource: name, withExtension: kind, subdirectory: "Fixtures"))
    }
}
