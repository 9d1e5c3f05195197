// One request by Node's own http and tls modules. Reads a job as JSON on standard input, writes the answer as JSON.
// Node has no proxy support in https.request, so that CONNECT is made by hand, as the usual agents do.
import http from 'node:http';
import tls from 'node:tls';
import { readFileSync } from 'node:fs';

const job = JSON.parse(readFileSync(0));
const proxy = new URL(job.proxy);
const [scheme, authority] = /^(https?):\/\/([^/?]*)/.exec(job.url).slice(1);
const target = job.url.slice(scheme.length + 3 + authority.length) || '/';
const proxyHeaders = job.proxyAuthorization ? { 'Proxy-Authorization': job.proxyAuthorization } : {};

function fail(error) {
  console.log(JSON.stringify({ error: String(error) }));
  process.exit(1);
}

function tunnel() {
  const port = /:(\d+)$/.exec(authority)?.[1] ?? '443';
  const host = authority.replace(/:\d+$/, '');
  return new Promise((resolve, reject) => {
    const path = `${host}:${port}`;
    const connect = http.request({
      host: proxy.hostname, port: proxy.port, method: 'CONNECT', path, headers: { Host: path, ...proxyHeaders },
    });
    connect.on('connect', (response, socket) => {
      if (response.statusCode !== 200) return reject(new Error(`CONNECT answered ${response.statusCode}`));
      const bare = host.replace(/^\[|\]$/g, '');
      const servername = /^[\d.:a-f]+$/.test(bare) ? undefined : bare;
      const secure = tls.connect({ socket, host: bare, servername, ca: readFileSync(job.ca), ALPNProtocols: ['http/1.1'] });
      secure.on('secureConnect', () => resolve(secure)).on('error', reject);
    });
    connect.on('error', reject);
    connect.end();
  });
}

const options = { method: job.method, headers: { Host: authority, ...job.headers } };
if (scheme === 'https') {
  const socket = await tunnel().catch(fail);
  Object.assign(options, { path: target, createConnection: () => socket });
} else {
  Object.assign(options, { host: proxy.hostname, port: proxy.port, path: job.url });
  Object.assign(options.headers, proxyHeaders);
}

const body = job.body === null ? null : Buffer.from(job.body, 'base64');
if (body && !job.chunked) options.headers['Content-Length'] = body.length;
const request = http.request(options, (response) => {
  const pieces = [];
  response.on('aborted', () => fail(new Error('the answer is not whole')));
  response.on('data', (piece) => pieces.push(piece));
  response.on('end', () => {
    const fields = [];
    for (let i = 0; i < response.rawHeaders.length; i += 2) fields.push(response.rawHeaders.slice(i, i + 2));
    const answer = { status: response.statusCode, fields, body: Buffer.concat(pieces).toString('base64') };
    process.stdout.write(JSON.stringify(answer), () => process.exit(0));
  });
});
request.on('error', fail);
const send = () => {
  if (!body) return request.end();
  if (!job.chunked) return request.end(body);
  const middle = body.length >> 1;
  request.write(body.subarray(0, middle), () => request.end(body.subarray(middle)));
};
if (job.headers.Expect) {
  request.on('continue', send);
  request.flushHeaders();
} else {
  send();
}
