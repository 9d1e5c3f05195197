import Testing

@testable import ForwardProxy

@Suite("The output of an HTTP/2 connection")
struct HTTP2OutputTests {
    @Test("What a turn brings is flushed once, at its end")
    func flushesOnce() {
        var output = HTTP2Output()
        #expect(output.flushRequested() == true)
        #expect(output.flushRequested() == false)
        #expect(output.flushBegan() == true)
        #expect(output.flushRequested() == true)
    }

    @Test("What a read brings about is flushed behind it, and not arranged for")
    func flushesBehindRead() {
        var output = HTTP2Output()
        output.readBegan()
        #expect(output.flushRequested() == false)
        output.readEnded()
        #expect(output.flushBegan() == true)
        #expect(output.flushRequested() == true)
    }

    @Test("A read does not forget what is due")
    func readDuringTurn() {
        var output = HTTP2Output()
        #expect(output.flushRequested() == true)
        output.readBegan()
        output.readEnded()
        #expect(output.flushRequested() == false)
    }

    @Test("A channel that is full is written nothing, and read only while little waits for it")
    func full() {
        var output = HTTP2Output()
        #expect(output.readRequested(isFull: true) == true)
        #expect(output.writabilityChanged(isWritable: false) == false)
        #expect(!output.isWritable)
        #expect(output.flushBegan() == false)
        #expect(output.readRequested(isFull: false) == true)
        #expect(!output.holdsRead)
        #expect(output.writabilityChanged(isWritable: true) == false)
        #expect(output.flushBegan() == true)
    }

    @Test("A read that had to wait is made when there is room again")
    func heldRead() {
        var output = HTTP2Output()
        _ = output.writabilityChanged(isWritable: false)
        #expect(output.readRequested(isFull: true) == false)
        #expect(output.holdsRead)
        #expect(output.writabilityChanged(isWritable: false) == false)
        #expect(output.holdsRead)
        #expect(output.writabilityChanged(isWritable: true) == true)
        #expect(!output.holdsRead)
        #expect(output.writabilityChanged(isWritable: true) == false)
    }
}
