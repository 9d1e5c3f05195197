#!/usr/bin/env python3
"""Writes peer.tsv: what an independent implementation of HTTP/2 sends, and what is to be read of it.

Needs the PyPI package h2 (4.4.1 made the table that is here). Run it in this folder: python3 make_peer.py > peer.tsv
"""

import sys

import h2.config
import h2.connection
import h2.settings

TEXT = "".join(chr(ord("a") + place % 26) for place in range(100_000))


def request(method, path, *fields):
    return [(":method", method), (":scheme", "https"), (":authority", "h"), (":path", path), *fields]


def pair():
    """A client and a server of h2 that know each other's settings."""
    client = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
    server = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    client.initiate_connection()
    server.initiate_connection()
    return client, server


def exchange(client, server):
    """Hands on what each side has to send until neither has; returns the bytes of both."""
    from_client, from_server = b"", b""
    while True:
        sent, answered = client.data_to_send(), server.data_to_send()
        if not sent and not answered:
            return from_client, from_server
        from_client += sent
        from_server += answered
        server.receive_data(sent)
        client.receive_data(answered)


def row(role, note, script, events, output):
    print("\t".join([role, note, "; ".join(script), "; ".join(events), "; ".join(output)]))


def from_client(note, act, events, output):
    """`act` drives a client that is alone with us: nothing but the settings has been received."""
    client, server = pair()
    exchange_settings = client.data_to_send()
    client.receive_data(server.data_to_send())
    server.receive_data(exchange_settings)
    sent = exchange_settings + client.data_to_send()
    act(client)
    sent += client.data_to_send()
    row("server-bare", note, ["RAW " + sent.hex()], events, ["SETTINGS+ACK", *output])


def from_server(note, calls, act, events, output):
    """`calls` are ours; the same requests are sent by a client of h2 to have the server's answers."""
    client, server = pair()
    _, beginning = exchange(client, server)
    for number, call in enumerate(calls):
        method = call[1:].split()[0].upper()
        client.send_headers(2 * number + 1, request(method, "/"), end_stream=method != "POST")
    exchange(client, server)
    act(server)
    sent = server.data_to_send()
    heads = [f"HEADERS{'' if call == '!post' else '+ES'}+EH {2 * number + 1}" for number, call in enumerate(calls)]
    row("client-bare", note, ["RAW " + beginning.hex(), *calls, "RAW " + sent.hex()], events,
        ["SETTINGS+ACK", *heads, *output])


def several_requests(client):
    for number in range(4):
        fields = [("user-agent", "h2"), ("accept", "*/*"), ("x-number", str(number % 2))]
        client.send_headers(2 * number + 1, request("GET", f"/{number}", *fields), end_stream=True)


def interleaved_bodies(client):
    client.send_headers(1, request("POST", "/a", ("content-length", "6")))
    client.send_headers(3, request("PUT", "/b"))
    client.send_data(1, b"abc")
    client.send_data(3, b"123", pad_length=7)
    client.send_data(1, b"def", end_stream=True, pad_length=255)
    client.send_data(3, b"456")
    client.send_headers(3, [("checksum", "0")], end_stream=True)


def long_body(client):
    client.send_headers(1, request("POST", "/"))
    for start in range(0, 3_000, 1_000):
        client.send_data(1, TEXT[start:start + 1_000].encode())
    client.end_stream(1)


def long_head(client):
    fields = [(f"x-{number}", TEXT[number:number + 600]) for number in range(30)]
    client.send_headers(1, request("GET", "/", *fields), end_stream=True)


def control(client):
    client.ping(b"12345678")
    client.send_headers(1, request("GET", "/"), end_stream=True, priority_weight=16, priority_depends_on=0)
    client.prioritize(3, weight=5)
    client.increment_flow_control_window(1_000)
    client.increment_flow_control_window(1_000, stream_id=1)
    client.update_settings({h2.settings.SettingCodes.HEADER_TABLE_SIZE: 100})
    client.reset_stream(1, error_code=8)
    client.close_connection(error_code=0, additional_data=b"bye")


def responses(server):
    server.send_headers(1, [(":status", "103"), ("link", "</a>")])
    server.send_headers(1, [(":status", "200"), ("server", "h2"), ("content-length", "10")])
    server.send_headers(3, [(":status", "404"), ("server", "h2")])
    server.send_data(3, b"none")
    server.send_data(1, b"0123456789", end_stream=True, pad_length=3)
    server.send_headers(3, [("grpc-status", "5")], end_stream=True)


def long_response(server):
    fields = [(f"x-{number}", TEXT[number:number + 600]) for number in range(30)]
    server.send_headers(1, [(":status", "200"), *fields])
    server.send_data(1, b"ok", end_stream=True)


def goaway(server):
    server.send_headers(1, [(":status", "204")], end_stream=True)
    server.reset_stream(3, error_code=7)
    server.close_connection(error_code=0, last_stream_id=3)


def main():
    print("# setting\tnote\tscript\tevents\toutput")
    print("# Made by make_peer.py with h2; do not edit")
    from_client("requests whose fields are in the table", several_requests,
                [f"head {2 * n + 1} GET /{n} end; end {2 * n + 1}" for n in range(4)], [])
    from_client("bodies of two requests in turn, padding and trailers", interleaved_bodies,
                ["head 1 POST /a", "head 3 PUT /b", "data 1 abc", "data 3 123", "data 1 def", "end 1",
                 "data 3 456", "end 3 checksum=0"], [])
    from_client("a body of three frames", long_body,
                ["head 1 POST /", "data 1 " + TEXT[:3_000], "end 1"], [])
    from_client("a head with CONTINUATION frames", long_head, ["head 1 GET / end", "end 1"], [])
    from_client("frames that control", control,
                ["head 1 GET / end", "end 1", "reset 1 cancel", "goaway 0 no_error bye"],
                ["PING+ACK 3132333435363738", "SETTINGS+ACK"])
    from_server("responses with an interim one, padding and trailers", ["!get", "!post"], responses,
                ["head 1 103", "head 1 200", "head 3 404", "data 3 none", "data 1 0123456789", "end 1",
                 "end 3 grpc-status=5"], [])
    from_server("a response with CONTINUATION frames", ["!get"], long_response,
                ["head 1 200", "data 1 ok", "end 1"], [])
    from_server("an end by GOAWAY", ["!get", "!get", "!get"], goaway,
                ["head 1 204 end", "end 1", "reset 3 refused_stream", "goaway 3 no_error", "reset 5 refused_stream"],
                [])


if __name__ == "__main__":
    sys.exit(main())
