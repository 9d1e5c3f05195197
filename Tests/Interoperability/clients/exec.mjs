// Knows nothing of a proxy or a CA: Node's own modules, as a program has them. Arguments: addresses to get.
import http from 'node:http';
import https from 'node:https';

const get = (address) => new Promise((resolve, reject) => {
  const module = address.startsWith('https:') ? https : http;
  module.get(`${address}?by=module`, (response) => {
    response.resume().on('end', () => resolve(response.statusCode));
  }).on('error', reject);
});

// Its head is written before there is a connection.
const expecting = (address) => new Promise((resolve, reject) => {
  const module = address.startsWith('https:') ? https : http;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': 3, Expect: '100-continue' };
  const request = module.request(`${address}?by=expecting`, { method: 'POST', headers }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode));
  });
  request.on('error', reject).on('continue', () => request.end('a=1')).flushHeaders();
});

for (const address of process.argv.slice(2)) {
  // Twice by the module: the second time its agent has a connection already.
  console.log(await get(address), await get(address), (await fetch(`${address}?by=fetch`)).status);
  console.log(await expecting(address));
  const form = { method: 'POST', body: new URLSearchParams({ 'a b': 'ü&=' }) };
  console.log((await fetch(`${address}?by=form`, form)).status);
}
