import Bytes
import NIOCore

extension ByteBuffer {
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
