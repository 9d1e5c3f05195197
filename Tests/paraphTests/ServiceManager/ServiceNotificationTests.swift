import Testing

@testable import paraph

@Suite("Messages to the service manager")
struct ServiceNotificationTests {
    @Test("are assignments, one a line")
    func bytes() {
        let messages: [(ServiceNotification, String)] = [
            (.ready(status: "serving at 127.0.0.1:8080"), "READY=1\nSTATUS=serving at 127.0.0.1:8080"),
            (
                .reloading(monotonicMicroseconds: 123_456, status: "reading"),
                "RELOADING=1\nMONOTONIC_USEC=123456\nSTATUS=reading"
            ),
            (.stopping(status: "draining"), "STOPPING=1\nSTATUS=draining"),
            (.watchdog, "WATCHDOG=1"),
        ]
        for (message, text) in messages { #expect(String(decoding: message.bytes, as: UTF8.self) == text) }
    }

    @Test("have no further assignment in the status")
    func lineBreak() {
        let text = String(decoding: ServiceNotification.ready(status: "a\nMAINPID=1").bytes, as: UTF8.self)
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test("go to a path from the root, or to an abstract name")
    func address() {
        #expect(NotificationSocket("/run/notify")?.path == Array("/run/notify".utf8))
        #expect(NotificationSocket("@name")?.path == [0] + Array("name".utf8))
        for text in ["", "/", "@", "run/notify", "vsock:2:1", "/" + String(repeating: "a", count: 107)] {
            #expect(NotificationSocket(text) == nil)
        }
        #expect(NotificationSocket("/" + String(repeating: "a", count: 106)) != nil)
    }
}
