// Switches to the protocol `echo` by Node's own http and tls modules, says something, ends its side, and writes all that
// comes back. Reads a job as JSON on standard input.
import http from 'node:http';
import tls from 'node:tls';
import { readFileSync } from 'node:fs';

const job = JSON.parse(readFileSync(0));
const proxy = new URL(job.proxy);
const url = new URL(job.url);

function fail(error) {
  console.error(String(error));
  process.exit(1);
}

function tunnel() {
  return new Promise((resolve, reject) => {
    const path = `${url.hostname}:443`;
    const connect = http.request({
      host: proxy.hostname, port: proxy.port, method: 'CONNECT', path, headers: { Host: path },
    });
    connect.on('connect', (response, socket) => {
      if (response.statusCode !== 200) return reject(new Error(`CONNECT answered ${response.statusCode}`));
      const secure = tls.connect({
        socket, servername: url.hostname, ca: readFileSync(job.ca), ALPNProtocols: ['http/1.1'], allowHalfOpen: true,
      });
      secure.on('secureConnect', () => resolve(secure)).on('error', reject);
    });
    connect.on('error', reject);
    connect.end();
  });
}

const headers = { Host: url.host, Connection: 'Upgrade', Upgrade: 'echo' };
let options;
if (url.protocol === 'https:') {
  const socket = await tunnel().catch(fail);
  options = { path: url.pathname, headers, createConnection: () => socket };
} else {
  options = { host: proxy.hostname, port: proxy.port, path: job.url, headers };
}
const request = http.request(options);
request.on('error', fail);
request.on('response', (response) => fail(new Error(`answered ${response.statusCode}`)));
request.on('upgrade', (response, socket, head) => {
  let said = head.toString();
  socket.on('error', fail);
  socket.on('data', (piece) => { said += piece; });
  socket.on('end', () => {
    process.stdout.write(`${response.statusCode} ${said}`, () => process.exit(0));
  });
  socket.end(job.say);
});
request.end();
