// What is copied of a request: commands and files that repeat it or tell of it, without what is hidden.
import { byID, el } from './dom.mjs';
import { decode, hidden } from './basestring.mjs';

const quote = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The URL of a request, as far as it is shown. */
export function url(request) {
  const query = request.query === null ? '' : `?${request.query}`;
  // Nothing but a tunnel's target has no path.
  const isPlain = /:80$/.test(request.authority) && (request.signature?.base_string_uri ?? 'http:').startsWith('http:');
  return `${isPlain ? 'http' : 'https'}://${request.authority.replace(isPlain ? /:80$/ : /:443$/, '')}${request.path}${query}`;
}

function headers(lines) {
  return lines.slice(1).map((line) => {
    const colon = line.indexOf(':');
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() };
  });
}

const unsent = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'proxy-connection',
  'proxy-authorization', 'user-agent', 'accept']);

/** A curl command that sends the client's request again, through the proxy of the environment, with `HIDDEN` for what is. */
export function curl(request) {
  const words = ['curl'];
  if (request.method !== 'GET') words.push('-X', quote(request.method));
  for (const { name, value } of headers(request.received)) {
    if (unsent.has(name.toLowerCase())) continue;
    words.push('-H', quote(`${name}: ${value}`));
  }
  if (request.request_bytes > 0) words.push('--data-binary', '@BODY');
  words.push(quote(url(request)));
  return words.join(' ').replaceAll(hidden, 'HIDDEN');
}

/** The `paraph explain` command of a request, with `--against` where another signature is given. */
export function explain(request, against) {
  const { signature } = request;
  const words = ['paraph', 'explain', quote(request.method), quote(url(request))];
  const value = (name) => {
    const found = signature?.parameters.find((parameter) => parameter.name === name);
    return found === undefined ? undefined : decode(found.value);
  };
  const key = value('oauth_consumer_key');
  words.push('--consumer-key', quote(key ?? 'KEY'), '--consumer-secret-env', 'CONSUMER_SECRET');
  if (signature === null || value('oauth_token') !== undefined) {
    words.push('--token', 'TOKEN', '--token-secret-env', 'TOKEN_SECRET');
  }
  if (signature?.method && signature.method !== 'HMAC-SHA1') words.push('--signature-method', signature.method);
  if (value('oauth_version') === undefined && signature) words.push('--omit-version');
  const type = headers(request.received).find(({ name }) => name.toLowerCase() === 'content-type');
  if (type) words.push('--content-type', quote(type.value));
  if (request.request_bytes > 0) words.push('--data-file', 'BODY');
  if (against === undefined) {
    for (const name of ['nonce', 'timestamp']) {
      const given = value(`oauth_${name}`);
      if (given !== undefined && given !== hidden) words.push(`--${name}`, quote(given));
    }
  } else {
    words.push('--against', quote(against));
  }
  return words.join(' ');
}

/** The request as HTTP Archive 1.2 has it; bodies are never kept. */
export function har(request) {
  const times = request.times;
  const milliseconds = (microseconds) => microseconds === null ? -1 : microseconds / 1000;
  const first = times.first_byte_us ?? times.total_us;
  const waited = (times.token_us ?? 0) + (times.connection_us ?? 0);
  const version = (lines) => /HTTP\/\d(\.\d)?$/.exec(lines[0] ?? '')?.[0] ?? 'HTTP/1.1';
  const queryString = (request.query ?? '').split('&').filter(Boolean).map((pair) => {
    const [name, ...rest] = pair.split('=');
    return { name: decode(name), value: decode(rest.join('=')) };
  });
  const sent = request.sent.length > 0 ? request.sent : request.received;
  return JSON.stringify({
    log: {
      version: '1.2', creator: { name: 'paraph', version: '' },
      entries: [{
        startedDateTime: request.time, time: times.total_us / 1000,
        request: {
          method: request.method, url: url(request), httpVersion: version(sent), cookies: [], headers: headers(sent),
          queryString, headersSize: -1, bodySize: request.request_bytes,
        },
        response: {
          status: request.status ?? 0, statusText: '', httpVersion: version(sent), cookies: [], headers: [],
          content: { size: request.response_bytes, mimeType: '' }, redirectURL: '', headersSize: -1,
          bodySize: request.response_bytes, comment: request.details ?? '',
        },
        cache: {},
        timings: {
          blocked: waited / 1000, dns: milliseconds(times.name_us), connect: milliseconds(times.tcp_us),
          ssl: milliseconds(times.tls_us), send: 0, wait: Math.max(0, first - waited) / 1000,
          receive: Math.max(0, times.total_us - first) / 1000,
        },
        serverIPAddress: request.upstream?.address ?? '',
        comment: 'Bodies are not kept, and what may be secret is left out.',
      }],
    },
  }, null, 2);
}

/** Copies a text; where the browser does not allow it, shows it to be copied by hand. */
export async function copy(text, button, remark = '') {
  try {
    await navigator.clipboard.writeText(text);
    const label = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = label; }, 1500);
  } catch {
    byID('copy-remark').textContent = remark;
    byID('copy-text').value = text;
    byID('copy-dialog').showModal();
    byID('copy-text').select();
  }
}

/** Has the browser save a text as a file. */
export function save(text, name, type) {
  const link = el('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
