// Knows nothing of a proxy or a CA: Node's own modules, as a program has them. Arguments: addresses to get.
import http from 'node:http';
import https from 'node:https';

const get = (address) => new Promise((resolve, reject) => {
  const module = address.startsWith('https:') ? https : http;
  module.get(`${address}?by=module`, (response) => {
    response.resume().on('end', () => resolve(response.statusCode));
  }).on('error', reject);
});

for (const address of process.argv.slice(2)) {
  // Twice by the module: the second time its agent has a connection already.
  console.log(await get(address), await get(address), (await fetch(`${address}?by=fetch`)).status);
  const form = { method: 'POST', body: new URLSearchParams({ 'a b': 'ü&=' }) };
  console.log((await fetch(`${address}?by=form`, form)).status);
}
