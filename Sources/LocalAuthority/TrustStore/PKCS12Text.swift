/// The BMPString that PKCS#12 writes names and passwords in: UTF-16, the high byte first.
enum PKCS12Text {
    static func bytes(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}
