// Tells by node:http2 what it received: the port goes to standard output, what comes then to whoever asks.
import http2 from "node:http2";
import fs from "node:fs";

const pem = fs.readFileSync(process.argv[2]);
const server = http2.createSecureServer({ cert: pem, key: pem, allowHTTP1: false });

server.on("stream", (stream, headers, flags, raw) => {
  const pieces = [];
  stream.on("error", () => {});
  stream.on("data", (piece) => pieces.push(piece));
  stream.on("end", () => {
    const fields = [];
    for (let at = 0; at < raw.length; at += 2) fields.push([raw[at], raw[at + 1]]);
    const body = Buffer.concat(pieces).toString("base64");
    stream.respond({ ":status": 200, "content-type": "application/json" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "x-mark": "node" }));
    stream.end(JSON.stringify({ protocol: "h2", fields, body }));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
