// One TLS handshake by Node's tls module. Arguments: a port of loopback, the host to verify, a PEM file of what is
// trusted. Writes "accepted" or what was wrong.
import net from 'node:net';
import tls from 'node:tls';
import { readFileSync } from 'node:fs';

const [port, host, ca] = process.argv.slice(2);
const servername = net.isIP(host) ? undefined : host;
const socket = tls.connect({ socket: net.connect(Number(port), '127.0.0.1'), host, servername, ca: readFileSync(ca) });
socket.setTimeout(120_000, () => socket.destroy(new Error('nothing came')));
socket.on('secureConnect', () => { console.log('accepted'); process.exit(0); });
socket.on('error', (error) => { console.log(`refused: ${error.code} ${error.message}`); process.exit(0); });
