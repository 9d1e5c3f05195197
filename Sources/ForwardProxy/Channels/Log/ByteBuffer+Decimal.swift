import Bytes
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

    /// Writes an IP address without its port; that of an IPv4 client of a socket for both as IPv4 has it.
    mutating func writeAddress(_ address: IPAddress) {
        guard case .v4(let bits) = address.unmapped else {
            writeString("\(address)")
            return
        }
        for shift in stride(from: 24, through: 0, by: -8) {
            if shift < 24 { writeInteger(UInt8(ascii: ".")) }
            writeDecimal(Int(bits >> shift & 0xff))
        }
    }
}
