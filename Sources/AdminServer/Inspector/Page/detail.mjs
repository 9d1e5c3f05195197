// One request: what came, what was sent, what was signed, how long it took, and why it ended as it did.
import { byID, duration, el, facts, size, visible } from './dom.mjs';
import { get } from './connection.mjs';
import { compare, decoded, fieldOf, hidden, isCut, isSigned, parts, read } from './basestring.mjs';
import { copy, curl, explain, har, hasURL, save, sentLines, url } from './copying.mjs';
import { statusClass } from './list.mjs';

const origins = { query: 'query', form: 'form body', protocol: 'OAuth' };

const errors = {
  dns_timeout: 'The name of the server could not be resolved in time.',
  dns_error: 'The name of the server could not be resolved.',
  destination_ip_prohibited: 'The server has an address that access.denied_networks forbids, or that is the proxy\'s own.',
  destination_ip_unroutable: 'There is no route to the server.',
  destination_unavailable: 'The server cannot be reached.',
  connection_refused: 'The server refused the connection.',
  connection_terminated: 'The server ended the connection before it answered.',
  connection_timeout: 'The server could not be connected to in time (timeouts.connect).',
  connection_read_timeout: 'The server did not answer in time (timeouts.response_header).',
  connection_limit_reached: 'A limit was reached: try again, or raise it (limits).',
  tls_protocol_error: 'The TLS handshake with the server failed.',
  tls_certificate_error: 'The server\'s certificate was not accepted.',
  tls_alert_received: 'The server ended the TLS handshake with an alert.',
  http_request_denied: 'The configuration does not allow the request.',
  http_request_error: 'The request is malformed.',
  http_response_incomplete: 'The server\'s answer ended too early.',
  http_response_timeout: 'The server\'s answer took too long.',
  proxy_internal_error: 'The proxy could not serve the request.',
  proxy_internal_response: 'The proxy answered itself.',
  proxy_configuration_error: 'The configuration does not allow the request to be served.',
};

const causes = {
  stale_connection: 'the server had closed the pooled connection in the meantime',
  stream_refused: 'the server refused the stream, for it had enough to do',
  http1_required: 'the server wanted the request by HTTP/1.1',
  token_refused: 'the provider refused the token; a new one was obtained',
  timestamp_refused: 'the provider refused the timestamp; the clock offset was corrected',
  gone_away: 'the server ended the connection, and said that it had not processed the request',
};

let shown;

/** Shows a request; undefined: none. */
export async function show(id, close) {
  shown = id;
  const article = byID('detail');
  if (id === undefined) {
    article.hidden = true;
    article.replaceChildren();
    document.body.classList.remove('open');
    return;
  }
  let content;
  try {
    const request = await get(`/requests/${id}`);
    content = sections(request, close);
  } catch (error) {
    content = [el('p', { class: 'box', text: error.message }), closer(close)];
  }
  if (shown !== id) return;
  article.replaceChildren(...content.filter(Boolean));
  article.hidden = false;
  article.scrollTop = 0;
  document.body.classList.add('open');
  // The list, and with it what had the focus, is out of sight there.
  if (matchMedia('(max-width: 60rem)').matches) article.focus({ preventScroll: true });
}

const closer = (close) => el('button', { type: 'button', class: 'close', 'aria-label': 'Close the detail', on: { click: close }, text: '✕' });

function sections(request, close) {
  return [heading(request, close), diagnosis(request), timing(request), heads(request), signature(request),
    answer(request), upstream(request), comparison(request)];
}

function section(title, ...content) {
  return el('section', {}, el('h3', { text: title }), ...content);
}

function heading(request, close) {
  const [name] = statusClass(request);
  const button = (text, action) => el('button', { type: 'button', text, on: { click: (event) => action(event.target) } });
  return el('header', {},
    closer(close),
    el('h2', {}, el('span', { class: `status ${name}`, text: request.status ?? 'no answer' }), ` ${request.method} `,
      el('span', { class: 'url', text: url(request) })),
    el('p', { class: 'line' }, [
      `#${request.id}`, request.time, request.client ? `client ${request.client}` : null, request.address,
      request.api ? `API ${request.api}` : 'no API: not signed', request.account ? `account ${request.account}` : null,
      `${size(request.request_bytes)} sent, ${size(request.response_bytes)} received`,
      request.trace_id ? `trace ${request.trace_id}` : null,
    ].filter(Boolean).join(' · ')),
    hasURL(request) && el('p', { class: 'buttons' },
      button('Copy as curl', (target) => copy(curl(request), target,
        'Where the request has a body, it was not kept: put it into a file named BODY.')),
      button('Copy as paraph explain', (target) => copy(explain(request), target,
        'The secrets are taken from variables of the environment; they never come to this page.')),
      button('Save as HAR', async () => save(har(request, (await get('/status')).version), `paraph-${request.id}.har`, 'application/json'))));
}

function diagnosis(request) {
  const content = [];
  if (request.error) {
    content.push(el('p', {}, el('strong', { text: 'The proxy made this answer. ' }), errors[request.error] ?? '',
      ' ', el('code', { text: request.error }), request.cause && el('span', {}, ', ', el('code', { text: request.cause }))));
  }
  if (request.details) content.push(el('p', { text: request.details }));
  if (request.outcome) content.push(el('p', {}, 'It ended before its answer was complete: ', el('code', { text: request.outcome })));
  if (request.repeats.length > 0) {
    content.push(el('p', { text: `It was sent again ${request.repeats.length === 1 ? 'once' : `${request.repeats.length} times`}:` }),
      el('ol', {}, request.repeats.map((cause) => el('li', {}, causes[cause] ?? cause, ' ', el('code', { text: cause })))));
  }
  return content.length > 0 && el('section', { class: 'box', 'aria-label': 'Diagnosis' }, el('h3', { text: 'Why' }), ...content);
}

function timing({ times, reused }) {
  const isTunnel = times.established_us !== null;
  const first = times.first_byte_us ?? times.established_us;
  const token = times.token_us ?? 0;
  const made = ['name_us', 'tcp_us', 'tls_us'].reduce((sum, name) => sum + (times[name] ?? 0), 0);
  const connection = Math.max(times.connection_us ?? 0, 0);
  const waited = token + Math.max(connection, made);
  const phases = [
    ['token', 'Token', token, 'waiting for a token'],
    ['pool', 'Connection', Math.max(connection - made, 0), 'waiting for a connection'],
    ['name', 'Name', times.name_us ?? 0, 'resolving the name'],
    ['tcp', 'TCP', times.tcp_us ?? 0, 'connecting'],
    ['tls', 'TLS', times.tls_us ?? 0, 'the TLS handshake'],
    ['wait', isTunnel ? 'Until it stood' : 'First byte', first === null ? 0 : Math.max(first - waited, 0), 'from sending to the head of the answer'],
    ['rest', isTunnel ? 'Tunnel' : 'Rest', Math.max(times.total_us - (first ?? waited), 0),
      isTunnel ? 'to its end' : 'to the end of the answer'],
  ].filter(([, , time]) => time > 0);
  const whole = Math.max(phases.reduce((sum, [, , time]) => sum + time, 0), 1);
  const words = phases.map(([, label, time]) => `${label} ${duration(time)}`).join(', ');
  const bar = el('div', { class: 'bar', role: 'img', 'aria-label': `Timing: ${words}` }, phases.map(([name, label, time, title]) => {
    const part = el('span', { class: `phase ${name}`, title: `${label}: ${duration(time)}, ${title}` });
    part.style.flexGrow = String(time / whole);
    return part;
  }));
  const legend = el('ul', { class: 'legend' }, phases.map(([name, label, time]) => el('li', {},
    el('span', { class: `swatch ${name}`, 'aria-hidden': 'true' }), `${label} `, el('b', { text: duration(time) }))));
  const remark = reused === null ? 'It was not sent.' : reused ? 'On a connection that carried others before.' : 'On a new connection.';
  return section(`Time: ${duration(times.total_us)}`, bar, legend, el('p', { class: 'muted', text: remark }));
}

function heads(request) {
  const sent = sentLines(request);
  const head = (title, lines, others, sign, word) => {
    const known = new Set(others.map((line) => line.toLowerCase()));
    return el('div', {}, el('h4', { text: title }), lines.length === 0
      ? el('p', { class: 'muted', text: 'None.' })
      : el('pre', { class: 'head', tabindex: '0', 'aria-label': title }, lines.map((line) => {
        const isOwn = others.length > 0 && !known.has(line.toLowerCase());
        return el('span', { class: isOwn ? `own ${word}` : '', text: `${isOwn ? sign : ' '} ${line}\n` });
      })));
  };
  return section('Request head', el('div', { class: 'pair' },
    head('From the client', request.received, sent, '−', 'removed'),
    head('To the server', sent, request.received, '+', 'added')));
}

function answer({ response }) {
  if (response.length === 0) return null;
  return section('Response head', el('pre', { class: 'head', tabindex: '0', 'aria-label': 'Response head' },
    response.map((line) => el('span', { text: `${line}\n` }))));
}

function authorization(signature) {
  const field = fieldOf(signature);
  if (field === undefined) return null;
  return [el('h4', { text: 'Authorization' }), el('pre', { class: 'field', tabindex: '0', 'aria-label': 'Authorization' },
    field.split(/(?<=,) /).map((line) => el('span', { text: `${line}\n` })))];
}

/** That the base string is not whole. */
function cutting({ cut, parameters, parameters_left_out: leftOut = 0 }) {
  if (!cut && leftOut === 0) return null;
  const count = parameters.filter(({ name, value }) => isCut(name) || isCut(value)).length;
  const said = [
    count > 0 && `${count} of its parameters ${count === 1 ? 'is' : 'are'} cut, where ${hidden} ends a name or a value`,
    leftOut > 0 && `${leftOut} more parameters are left out`,
  ].filter(Boolean).join(', and ');
  return el('p', { class: 'box', text: `This is not all that was signed${said ? `: ${said}` : ''}. The request was sent and signed whole.` });
}

function signature(request) {
  const { signature } = request;
  if (!signature) return section('Signature', el('p', { class: 'muted', text: 'None was added.' }));
  if (!isSigned(signature)) {
    return section(`Signature: ${signature.method}`, el('p', {
      text: 'There is no base string: this method signs nothing of the request. Its signature is the secrets themselves (RFC 5849, section 3.4.4), which are not shown.',
    }), authorization(signature));
  }
  const used = new Set(signature.parameters.map(({ origin }) => origin));
  const shownParts = parts(request.method, signature).map((part) => el(part.kind === 'mark' ? 'span' : 'b', {
    class: `${part.kind} ${part.origin ?? ''}`, title: part.title, text: part.text,
  }));
  return section(`Signature: ${signature.method}`,
    el('h4', { text: 'Base string' }),
    el('pre', { class: 'base', tabindex: '0', 'aria-label': 'Base string' }, shownParts),
    cutting(signature),
    el('ul', { class: 'legend' }, Object.entries(origins).filter(([origin]) => used.has(origin)).map(([origin, label]) =>
      el('li', {}, el('b', { class: `parameter ${origin}`, text: label })))),
    el('details', {}, el('summary', { text: `${signature.parameters.length} parameters` }),
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Parameters' },
        el('table', { class: 'plain values' },
          el('thead', {}, el('tr', {}, ['Name', 'Value', 'From'].map((text) => el('th', { scope: 'col', text })))),
          el('tbody', {}, signature.parameters.map(({ name, value, origin }) => el('tr', {},
            el('td', { text: decoded(name) }), el('td', { text: decoded(value) }), el('td', { class: 'from', text: origins[origin] ?? origin }))))))),
    authorization(signature),
    el('p', { class: 'muted', text: `${hidden} stands for what is not shown: tokens, signatures, and values of names like them.` }));
}

/** What the pins are of, and where on the path. */
function pinned({ mode, applies_to: place }) {
  const what = mode === 'certificate' ? 'of certificates' : 'of keys';
  return { any: `${what}, anywhere on the path`, leaf: `${what}, of the leaf alone`, intermediate: `${what}, of an intermediate alone`,
    root: `${what}, of the root alone` }[place] ?? what;
}

function upstream(request) {
  const { upstream } = request;
  if (!upstream) return null;
  const { refusal, pins } = upstream;
  const version = { h2: 'HTTP/2', 'http/1.1': 'HTTP/1.1' }[upstream.version];
  const isOfKey = pins?.mode !== 'certificate';
  const chain = upstream.chain.map((certificate) => el('li', { class: certificate.pinned ? 'pinned' : '' },
    el('b', { text: certificate.subject }), certificate.pinned && el('span', { class: 'tag', text: '✓ pinned' }),
    facts([['Issuer', certificate.issuer], ['Valid until', certificate.not_after],
      [isOfKey ? 'Pin of the key' : 'Pin of the certificate',
        el('code', { text: isOfKey ? certificate.public_key_pin : certificate.certificate_pin })]])));
  return section('Server', version && facts([['Address', upstream.address], ['Version', version]]),
    refusal && el('p', { class: 'box', text: `${refusal[0].toUpperCase()}${refusal.slice(1)}. Nothing was sent.` }),
    chain.length > 0 ? el('h4', { text: refusal ? 'Certificates that were refused' : 'Certificates' })
      : el('p', { class: 'muted', text: refusal ? 'No certificate was presented.' : 'No certificate: clear text.' }),
    chain.length > 0 && el('ol', { class: 'chain' }, chain),
    pins && el('h4', { text: `Pins that are configured (${pinned(pins)})` }),
    pins && el('ul', { class: 'chain' }, pins.pins.map((text) => el('li', {}, el('code', { text })))));
}

/** What may be said where nothing that is shown differs. */
function sameness({ unseen, cut, leftOut }, isWhole) {
  if (cut.length > 0 || leftOut > 0) return 'Nothing that is here differs. What was cut may, so this does not tell whether they are the same.';
  const both = isWhole ? 'The base strings are the same' : 'The parameters of the protocol are the same';
  const others = isWhole ? 'the keys do' : 'the base strings or the keys do';
  return unseen.length > 0 ? `${both}, as far as they are shown. Where the signatures differ, what is not shown or ${others}.`
    : `${both}. Where the signatures differ, ${others}.`;
}

/** What was not compared. */
function remarks({ unseen, cut, leftOut }) {
  const were = (names) => `${names.map((name) => visible(name)).join(', ')} ${names.length === 1 ? 'was' : 'were'} not compared`;
  return [
    unseen.length > 0 && el('p', { text: `${were(unseen)}: the values are not shown here.` }),
    cut.length > 0 && el('p', { text: `${were(cut)}: the inspector has the beginning alone.` }),
    leftOut > 0 && el('p', { text: `${leftOut} more parameters of the request are not here, and were not compared.` }),
  ].filter(Boolean);
}

function comparison(request) {
  if (!isSigned(request.signature)) return null;
  const input = el('textarea', { rows: '3', spellcheck: 'false', autocomplete: 'off', id: 'other',
    placeholder: 'OAuth oauth_consumer_key="…", …   or   GET&https%3A%2F%2F…&…' });
  const result = el('div', { role: 'status' });
  const show = () => {
    const other = read(input.value);
    if (!other) {
      result.replaceChildren(el('p', { text: 'That is neither an OAuth field nor a base string.' }));
      return;
    }
    const compared = compare(request.method, request.signature, other);
    const { found } = compared;
    const rows = found.map(({ what, ours, theirs, why }) => el('tr', {}, el('th', { scope: 'row', text: visible(what) }),
      el('td', { text: visible(ours ?? 'none') }), el('td', { text: visible(theirs ?? 'none') }), el('td', { text: why ?? '' })));
    const command = explain(request, other.text ?? input.value.trim());
    result.replaceChildren(
      found.length === 0
        ? el('p', { text: sameness(compared, other.text !== undefined) })
        : el('div', { class: 'scroll' }, el('table', { class: 'plain values' }, el('caption', { text: 'Where they part' }),
          el('thead', {}, el('tr', {}, ['', 'Here', 'There', 'Why'].map((text) => el('th', { scope: 'col', text })))),
          el('tbody', {}, rows))),
      ...remarks(compared),
      el('p', {}, 'The signatures themselves are compared where the secrets are, which never come to this page:'),
      el('pre', { tabindex: '0', 'aria-label': 'Command', text: command }),
      el('p', {}, el('button', { type: 'button', text: 'Copy the command', on: { click: (event) => copy(command, event.target) } })));
  };
  return section('Another signer', el('label', { for: 'other', text: 'Its Authorization field, or its base string, of the same request' }),
    input, el('p', {}, el('button', { type: 'button', text: 'Compare', on: { click: show } })), result);
}

