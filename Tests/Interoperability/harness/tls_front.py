"""TLS in front of something that speaks none, in one thread for each connection; what came in is kept as it came."""

import selectors
import socket
import ssl
import threading


class TLSFront:
    """Serves the far end of `serve(connection)` over TLS. `received` has the bytes of every connection, encrypted."""

    def __init__(self, chain, serve):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(chain.file)
        self.context.set_alpn_protocols(["h2", "http/1.1"])
        self.serve = serve
        self.received = []
        self.protocols = []

    def accept(self, connection):
        near, far = socket.socketpair()
        threading.Thread(target=self.serve, args=(far,), daemon=True).start()
        pump = Pump(self.context, connection, near)
        self.received.append(pump.encrypted)
        try:
            pump.run()
        except OSError:
            pass
        finally:
            self.protocols.append(pump.tls.selected_alpn_protocol())
            connection.close()
            near.close()


class Pump:
    """Copies between a connection that speaks TLS and one that does not, until both directions have ended."""

    def __init__(self, context, outer, inner):
        self.outer, self.inner = outer, inner
        self.encrypted = bytearray()
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)

    def run(self):
        while not self.step(self.tls.do_handshake):
            if not self.receive():
                return
        # What came behind the client's last message of the handshake is here already.
        with selectors.DefaultSelector() as reading:
            reading.register(self.outer, selectors.EVENT_READ)
            reading.register(self.inner, selectors.EVENT_READ)
            if not self.pass_on():
                reading.unregister(self.outer)
            while reading.get_map():
                self.copy(reading, {key.fileobj for key, _ in reading.select()})

    def copy(self, reading, ready):
        if self.inner in ready:
            data = self.inner.recv(1 << 16)
            if data:
                self.tls.write(data)
                self.flush()
            else:
                reading.unregister(self.inner)
                self.step(self.tls.unwrap)
                self.outer.shutdown(socket.SHUT_WR)
        if self.outer in ready:
            is_open = self.receive()
            if not self.pass_on() or not is_open:
                reading.unregister(self.outer)

    def pass_on(self):
        """Hands on what has been decrypted; false at the end."""
        while data := self.step(lambda: self.tls.read(1 << 16)):
            self.inner.sendall(data)
        if data is None:
            return True
        self.inner.shutdown(socket.SHUT_WR)
        return False

    def receive(self):
        data = self.outer.recv(1 << 16)
        self.encrypted += data
        if data:
            self.incoming.write(data)
        else:
            self.incoming.write_eof()
        return bool(data)

    def step(self, action):
        """What the action comes to; None when it has to wait for more, b"" at the end."""
        try:
            result = action()
            return True if result is None else result
        except ssl.SSLWantReadError:
            return None
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""
        except ssl.SSLError:
            self.flush()
            raise
        finally:
            self.flush()

    def flush(self):
        if data := self.outgoing.read():
            self.outer.sendall(data)
