import TestSupport

extension SeededGenerator {
    /// Up to `count` bytes, most of them of those that mean something in a query.
    mutating func bytes(upTo count: Int, excluding excluded: String = "") -> [UInt8] {
        let telling = Array("abzAZ09-._~%+ =&;?/[]\"|41C3a9oauth_".utf8)
        return (0..<Int.random(in: 0...count, using: &self)).map { _ in
            Bool.random(using: &self) ? .random(in: 0...255, using: &self) : telling.randomElement(using: &self) ?? 0
        }
        .filter { !excluded.utf8.contains($0) }
    }

    mutating func text(upTo count: Int) -> String {
        let scalars = (0..<Int.random(in: 0...count, using: &self)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x2fff, using: &self))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
