package import NIOCore

extension ByteBuffer {
    /// Writes a number in decimal, without a string in between.
    package mutating func writeDecimal(_ value: Int) {
        var rest = value.magnitude
        if value < 0 { writeInteger(UInt8(ascii: "-")) }
        var place: UInt = 1
        while rest / place >= 10 { place *= 10 }
        while place > 0 {
            writeInteger(UInt8(ascii: "0") + UInt8(rest / place))
            rest %= place
            place /= 10
        }
    }
}
