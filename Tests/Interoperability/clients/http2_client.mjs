// Sends requests by node:http2 through CONNECT, all at once; standard input has them, standard output the answers.
import http from "node:http";
import http2 from "node:http2";
import tls from "node:tls";
import fs from "node:fs";

const job = JSON.parse(fs.readFileSync(0));
const proxy = new URL(job.proxy);

function tunnel() {
  return new Promise((resolve, reject) => {
    const path = `${job.host}:443`;
    const asking = http.request({
      host: proxy.hostname, port: proxy.port, method: "CONNECT", path, headers: { Host: path }, agent: false,
    });
    asking.on("connect", (answer, socket) => {
      if (answer.statusCode === 200) resolve(socket);
      else reject(new Error(`CONNECT answered ${answer.statusCode}`));
    });
    asking.on("error", reject);
    asking.end();
  });
}

const socket = tls.connect({
  socket: await tunnel(), servername: job.host, ALPNProtocols: ["h2"], ca: fs.readFileSync(job.ca),
});
const session = http2.connect(`https://${job.host}`, { createConnection: () => socket });

function send(one) {
  return new Promise((resolve, reject) => {
    const stream = session.request(
      { ":method": one.method, ":path": one.path, ...one.headers }, { endStream: one.body === null },
    );
    const pieces = [];
    let head, trailers = {};
    stream.on("response", (found) => (head = found));
    stream.on("trailers", (found) => (trailers = found));
    stream.on("data", (piece) => pieces.push(piece));
    stream.on("error", reject);
    stream.on("end", () => {
      const fields = Object.entries(head).filter(([name]) => !name.startsWith(":"));
      resolve({
        status: head[":status"], fields: fields.map(([n, v]) => [n, String(v)]),
        body: Buffer.concat(pieces).toString("base64"), trailers,
      });
    });
    if (one.body !== null) stream.end(Buffer.from(one.body, "base64"));
  });
}

const answers = await Promise.all(job.requests.map(send));
session.close();
console.log(JSON.stringify({ protocol: socket.alpnProtocol, answers }));
