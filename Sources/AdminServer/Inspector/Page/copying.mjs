// What is copied of a request: commands and files that repeat it or tell of it, without what is hidden.
import { byID, el } from './dom.mjs';
import { decode, fieldOf, hidden } from './basestring.mjs';

const quote = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The default ports of the schemes. */
const ports = { http: /:80$/, https: /:443$/ };

/** What was asked of which server, without a port that goes without saying. */
export function target(request) {
  const query = request.query === null ? '' : `?${request.query}`;
  return `${request.authority.replace(ports[request.scheme] ?? /$^/, '')}${request.method === 'CONNECT' ? '' : request.path}${query}`;
}

/** The URL of a request, as far as it is shown; without a scheme where that is not known. */
export function url(request) {
  return `${request.scheme ? `${request.scheme}://` : ''}${target(request)}`;
}

function headers(lines) {
  return lines.slice(1).map((line) => {
    const colon = line.indexOf(':');
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() };
  });
}

const valueOf = (fields, wanted) => fields.find(({ name }) => name.toLowerCase() === wanted)?.value;

/** Fields that curl makes itself, of what else it is told. */
const made = new Set(['host', 'content-length', 'proxy-connection', 'proxy-authorization']);

/** Whether a request was one for an URL that is known, and not for a tunnel. */
export const hasURL = (request) => request.method !== 'CONNECT' && request.scheme !== null;

/**
 * A curl command that sends the client's request again, through the proxy of the environment, with `HIDDEN` for what is:
 * the fields that the client sent, and none of those that curl adds by itself.
 */
export function curl(request) {
  const words = ['curl'];
  const fields = headers(request.received);
  const has = (name) => valueOf(fields, name) !== undefined;
  const hasBody = request.request_bytes > 0;
  const version = / HTTP\/([\d.]+)$/.exec(request.received[0] ?? '')?.[1];
  const isHTTP2 = version?.startsWith('2') ?? false;
  if (version) words.push(isHTTP2 ? '--http2' : version === '1.0' ? '--http1.0' : '--http1.1');
  if (request.method === 'HEAD' && !hasBody) words.push('--head');
  else if (request.method !== 'GET' || hasBody) words.push('--request', quote(request.method));
  const isWhole = request.path === '*';
  const location = isWhole ? url({ ...request, path: '/' }) : url(request);
  if (/[[\]{}]/.test(location)) words.push('--globoff');
  if (isWhole) words.push('--request-target', quote('*'));
  else if (/\/(\.|%2e){1,2}(\/|$)/i.test(request.path)) words.push('--path-as-is');
  const header = (text) => words.push('--header', quote(text));
  const host = valueOf(fields, 'host');
  if (host !== undefined && host !== request.authority.replace(ports[request.scheme], '')) header(`Host: ${host}`);
  for (const { name, value } of fields) {
    const lower = name.toLowerCase();
    if (made.has(lower) || isHTTP2 && lower === 'connection') continue;
    header(value === '' ? `${name};` : `${name}: ${value}`);
  }
  if (!hasBody && request.method !== 'GET' && valueOf(fields, 'content-length') === '0') header('Content-Length: 0');
  for (const name of ['User-Agent', 'Accept', ...hasBody ? ['Content-Type', 'Expect'] : [],
    ...request.scheme === 'http' ? ['Proxy-Connection'] : []]) {
    if (!has(name.toLowerCase())) header(`${name}:`);
  }
  if (hasBody) words.push('--data-binary', '@BODY');
  words.push(quote(location));
  return words.join(' ').replaceAll(hidden, 'HIDDEN');
}

/** Where the protocol's parameters were sent, as options of `paraph explain`. */
function placement({ sent, signature }) {
  if (!signature || sent.length === 0) return [];
  const field = fieldOf(signature);
  if (field !== undefined) {
    const realm = /^OAuth\s+(?:.*,\s*)?realm="((?:[^"\\]|\\.)*)"/i.exec(field)?.[1];
    return realm === undefined ? [] : ['--realm', quote(realm.replace(/\\(.)/g, '$1'))];
  }
  return ['--placement', /[?&]oauth_/.test(sent[0]) ? 'query' : 'body'];
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
  words.push('--consumer-key', quote(key ?? 'KEY'));
  if (signature?.method?.startsWith('RSA-')) words.push('--private-key-file', 'KEY.pem');
  else words.push('--consumer-secret-env', 'CONSUMER_SECRET');
  if (signature === null || value('oauth_token') !== undefined) {
    words.push('--token', 'TOKEN', '--token-secret-env', 'TOKEN_SECRET');
  }
  if (signature?.method && signature.method !== 'HMAC-SHA1') words.push('--signature-method', signature.method);
  if (value('oauth_version') === undefined && signature) words.push('--omit-version');
  const fields = headers(request.received);
  const type = valueOf(fields, 'content-type');
  if (value('oauth_body_hash') !== undefined) {
    words.push('--body-hash', /^application\/x-www-form-urlencoded/i.test(type ?? '') ? 'always' : 'on');
  }
  words.push(...placement(request));
  if (type !== undefined) words.push('--content-type', quote(type));
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

/** The lines of the head that was sent, with the version of HTTP that it was sent by. */
export function sentLines({ sent, upstream }) {
  return upstream?.version === 'h2' && sent.length > 0 ? [sent[0].replace(/HTTP\/1\.1$/, 'HTTP/2'), ...sent.slice(1)] : sent;
}

/** The phases of a request as HTTP Archive 1.2 has them, in milliseconds; all but `ssl`, which is within `connect`, make up the whole. */
function timings(times) {
  let left = times.total_us;
  const take = (microseconds) => {
    const taken = Math.min(Math.max(microseconds ?? 0, 0), left);
    left -= taken;
    return taken / 1000;
  };
  const phase = (microseconds) => microseconds === null ? -1 : take(microseconds);
  const made = (times.name_us ?? 0) + (times.tcp_us ?? 0) + (times.tls_us ?? 0);
  const dns = phase(times.name_us);
  const connect = times.tcp_us === null ? -1 : take(times.tcp_us + (times.tls_us ?? 0));
  const blocked = take((times.token_us ?? 0) + Math.max((times.connection_us ?? 0) - made, 0));
  const first = times.first_byte_us ?? times.established_us;
  const receive = first === null ? 0 : take(times.total_us - first);
  return {
    blocked, dns, connect, ssl: times.tls_us === null || connect < 0 ? -1 : Math.min(times.tls_us / 1000, connect),
    send: 0, wait: take(left), receive,
  };
}

/** The request as HTTP Archive 1.2 has it; bodies are never kept. */
export function har(request, version) {
  const sent = request.sent.length > 0 ? sentLines(request) : request.received;
  const versionOf = (line) => /HTTP\/\d(\.\d)?/.exec(line ?? '')?.[0].replace('2.0', '2') ?? 'unknown';
  const queryString = (request.query ?? '').split('&').filter(Boolean).map((pair) => {
    const [name, ...rest] = pair.split('=');
    return { name: decode(name), value: decode(rest.join('=')) };
  });
  const fields = headers(request.response);
  // The proxy's own answers are problem documents.
  const type = valueOf(fields, 'content-type') ?? (request.error && request.status ? 'application/problem+json' : 'x-unknown');
  const address = /^\[?(.*?)\]?(?::\d+)?$/.exec(request.upstream?.address ?? '')[1];
  const requestFields = headers(sent);
  return JSON.stringify({
    log: {
      version: '1.2', creator: { name: 'paraph', version },
      entries: [{
        startedDateTime: request.time, time: request.times.total_us / 1000,
        request: {
          method: request.method, url: url(request), httpVersion: versionOf(sent[0]), cookies: [], headers: requestFields,
          queryString, headersSize: -1, bodySize: request.request_bytes,
          ...request.request_bytes > 0 && {
            postData: { mimeType: valueOf(requestFields, 'content-type') ?? 'x-unknown', text: '', comment: 'Bodies are not kept.' },
          },
        },
        response: {
          status: request.status ?? 0, statusText: '', httpVersion: versionOf(request.response[0] ?? request.received[0]), cookies: [],
          headers: fields, content: { size: request.response_bytes, mimeType: type }, redirectURL: '', headersSize: -1,
          bodySize: request.response_bytes, comment: request.details ?? '',
        },
        cache: {},
        timings: timings(request.times),
        ...address && { serverIPAddress: address },
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
