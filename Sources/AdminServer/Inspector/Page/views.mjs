// The accounts, the APIs, the CA and the health of the proxy.
import { byID, distance, el, facts } from './dom.mjs';
import { Refusal, get, getText, post } from './connection.mjs';

/** The proxy's status. */
const status = () => get('/status');

const time = (text) => text ? el('time', { datetime: text, title: text, text: distance(text) }) : undefined;

const words = (name) => (name ?? '').replaceAll('_', ' ');

function table(caption, columns, rows) {
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, el('table', { class: 'plain cards' },
    el('caption', { class: 'hidden', text: caption }),
    el('thead', {}, el('tr', {}, columns.map((text) => el('th', { scope: 'col', text })))),
    el('tbody', {}, rows.map((cells) => el('tr', {}, cells.map((cell, index) => el('td', { 'data-label': columns[index] }, el('div', {}, cell ?? '–'))))))));
}

const signs = { good: '✓', waiting: '○', warn: '!', bad: '✕' };

const state = (name, kind) => el('span', { class: `tag ${kind}`, text: `${signs[kind]} ${words(name)}` });

/** Whether requests are authorized, will be once the first one has come, or are not. */
const kinds = { ready: 'good', none_yet: 'waiting', expired: 'waiting', unknown: 'waiting' };

/** Who waits for a token: the first clients by name and address, and the number of all other requests. */
function waiting({ waiting: count, waiters }) {
  if (count === 0) return '0';
  const others = count - waiters.reduce((sum, { requests }) => sum + requests, 0);
  const number = (requests) => `${requests} ${requests === 1 ? 'request' : 'requests'}`;
  return el('ul', { class: 'waiters' }, waiters.map(({ client, address, requests, since }) => el('li', {},
    `${[client, address].filter(Boolean).join(' at ') || 'somebody'}: ${number(requests)}, since `, time(since))),
  others > 0 && el('li', { text: `and ${others} more` }));
}

function accounts(told) {
  if (told.accounts.length === 0) return [el('p', { text: 'No account is configured or enrolled.' })];
  return [
    table('Accounts', ['API', 'Account', 'Token', 'State', 'Obtained', 'Expires', 'Last exchange', 'Waiting'], told.accounts.map((account) => {
      const last = account.last_exchange;
      return [account.api, account.account, words(account.source),
        el('span', {}, state(account.state, kinds[account.state] ?? 'bad'), account.detail && el('small', { text: account.detail })),
        time(account.obtained) ?? (['issued', 'bearer'].includes(account.source) ? 'configured' : undefined), time(account.expires),
        last && el('span', {}, state(last.result, last.result === 'succeeded' ? 'good' : 'bad'), ' ', time(last.time),
          last.detail && el('small', { text: last.detail })),
        waiting(account)];
    })),
    told.accounts_left_out > 0 && el('p', { text: `${told.accounts_left_out} more are not listed.` }),
  ];
}

const schemes = { oauth1: 'OAuth 1.0a', oauth2: 'OAuth 2 bearer tokens', bearer: 'a bearer token' };

function apis(told) {
  if (told.apis.length === 0) return [el('p', { text: 'No API is configured.' })];
  return told.apis.map((api) => el('section', { class: 'card' }, el('h3', { text: api.name }), facts([
    ['Hosts', api.hosts.join(', ')],
    ['Signed with', [schemes[api.authorization] ?? api.authorization, api.signature_method].filter(Boolean).join(', ')],
    ['Upstream', api.scheme],
    ['Pins', api.pins.length === 0 ? 'none' : el('ul', {}, api.pins.map((pin) => el('li', {},
      `${pin.count} of ${words(pin.mode)}${pin.hosts.length > 0 ? ` for ${pin.hosts.join(', ')}` : ''}; otherwise ${words(pin.on_failure)}`,
      pin.expires && el('span', {}, '; expire ', time(pin.expires)))))],
    ['Without a backup pin', api.hosts_without_backup_pin.join(', ')],
    ['Client certificate expires', time(api.client_certificate_expires)],
    ['Clock', api.clock && `${api.clock.offset_seconds === null ? 'the provider has not told its own'
      : `${api.clock.offset_seconds} s from this machine's`}${api.clock.follows ? '' : ', not corrected'}`],
    ['Rate limits', api.rate_limits.length === 0 ? undefined : el('ul', {}, api.rate_limits.map(({ account, time: told, fields }) => el('li', {},
      account && `${account}, `, time(told), ': ', fields.map(({ name, value }) => `${name}: ${value}`).join(', '))))],
    ['Connections', `${api.connections.in_use} in use, ${api.connections.idle} idle, ${api.connections.waiting} requests waiting`],
  ])));
}

/** The bytes of the first certificate of a PEM text. */
function derOf(pem) {
  const body = /-----BEGIN CERTIFICATE-----([^-]*)-----END/.exec(pem)?.[1] ?? '';
  return Uint8Array.from(atob(body.replace(/\s+/g, '')), (character) => character.charCodeAt(0));
}

async function fingerprint(pem) {
  // Browsers have it for pages from this machine, and from https.
  if (!crypto.subtle) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', derOf(pem)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
}

/** Each line is whole: it works where ca.pem is, and once run, from any folder. */
const runtimes = [
  ['curl', 'export CURL_CA_BUNDLE="$PWD/roots.pem"'],
  ['Git', 'export GIT_SSL_CAINFO="$PWD/roots.pem"'],
  ['Go, Ruby, Rust, .NET, OpenSSL', 'export SSL_CERT_FILE="$PWD/roots.pem"'],
  // Neither wget nor PHP's curl functions read a variable for their CAs, but files that variables name.
  ['wget', [
    `{ cat "\${WGETRC:-$HOME/.wgetrc}" 2>/dev/null; echo; echo "ca_certificate = $PWD/roots.pem"; } > paraph.wgetrc`,
    'export WGETRC="$PWD/paraph.wgetrc"',
  ].join('\n')],
  ['PHP', [
    `mkdir -p php.d && printf '%s = "%s"\\n' curl.cainfo "$PWD/roots.pem" openssl.cafile "$PWD/roots.pem" > php.d/paraph.ini`,
    'export PHP_INI_SCAN_DIR="${PHP_INI_SCAN_DIR:-}:$PWD/php.d"',
  ].join('\n')],
  // Java takes of a certificate only name and key: the truststore has a root that confines the CA as its constraints do.
  ['Java', [
    'paraph ca export --format pkcs12 --out paraph.p12',
    'cp "$(dirname "$(readlink -f "$(command -v keytool)")")/../lib/security/cacerts" truststore && chmod u+w truststore',
    'keytool -importkeystore -noprompt -srckeystore paraph.p12 -srcstorepass changeit -destkeystore truststore -deststorepass changeit',
    'export JAVA_TOOL_OPTIONS="-Djavax.net.ssl.trustStore=$PWD/truststore -Djavax.net.ssl.trustStorePassword=changeit"',
  ].join('\n')],
  ['Node', 'export NODE_EXTRA_CA_CERTS="$PWD/ca.pem"'],
  ['Deno', 'export DENO_CERT="$PWD/ca.pem"'],
  ['Perl (LWP)', 'export PERL_LWP_SSL_CA_FILE="$PWD/roots.pem"'],
  ['Python (requests, pip)', 'export REQUESTS_CA_BUNDLE="$PWD/roots.pem" PIP_CERT="$PWD/roots.pem"'],
  ['AWS CLI', 'export AWS_CA_BUNDLE="$PWD/roots.pem"'],
];

async function authority(told) {
  const { status: code, text: pem } = await getText('/ca.pem');
  if (code !== 200) return [el('p', { class: 'box', text: `The certificate cannot be had: ${code}.` })];
  return [
    el('p', { text: 'Clients of the proxy trust this certificate, and the proxy shows them certificates that it has signed for the configured hosts alone.' }),
    facts([
      ['SHA-256', el('code', { text: await fingerprint(pem) ?? told?.authority.sha256 ?? 'paraph ca shows it' })],
      ['File', told?.authority.certificate], ['Expires', time(told?.authority.expires)],
    ]),
    el('p', {}, el('a', { class: 'button', href: '/ca.pem', download: 'ca.pem', text: 'Download ca.pem' })),
    el('h3', { text: 'All programs of a shell' }),
    el('p', {}, el('code', { text: 'eval "$(paraph env)"' }), ' prints and sets all of the variables below, with files that it makes; ',
      el('code', { text: 'paraph exec -- COMMAND' }), ' does so for one command, with a proxy of its own.'),
    el('h3', { text: 'One runtime' }),
    el('p', {}, 'Some variables add a CA, others replace all that the runtime trusts: for these make ', el('code', { text: 'roots.pem' }),
      ' first: ', el('code', { text: 'cat /etc/ssl/certs/ca-certificates.crt ca.pem > roots.pem' })),
    table('What each runtime needs', ['Runtime', 'Line'], runtimes.map(([name, line]) => [name, el('code', { class: 'lines', text: line })])),
  ];
}

/** What `paraph doctor` would say, as the last run of the checks said it. */
const checks = { findings: [], end: undefined, isRunning: false, problem: undefined, time: undefined };

async function runChecks() {
  if (checks.isRunning) return;
  Object.assign(checks, { findings: [], end: undefined, isRunning: true, problem: undefined, time: undefined });
  draw('health');
  try {
    await post('/doctor', (line) => {
      if (line.done) checks.end = line;
      else checks.findings.push(line);
      redraw('health');
    });
    if (!checks.end) checks.problem = 'The proxy ended before the checks did.';
  } catch (error) {
    checks.problem = error instanceof Refusal ? error.message : 'The proxy does not answer.';
  }
  checks.isRunning = false;
  checks.time = new Date().toISOString();
  await draw('health');
}

const verdicts = { ok: ['ok', 'good'], note: ['note', 'warn'], fails: ['fails', 'bad'], left_out: ['left out', 'waiting'] };

function checkList() {
  const { findings, end, isRunning, problem } = checks;
  const failures = findings.filter(({ verdict }) => verdict === 'fails').length;
  const count = `${findings.length} findings, ${failures} failing`;
  return [
    el('h3', { text: 'Checks' }),
    el('p', {}, 'What ', el('code', { text: 'paraph doctor' }), ' looks at, now: the listeners, the local CA and the vault, and of each API the '
      + 'names, certificates, pins and the clock, which takes a connection and an unsigned request to each.'),
    el('p', { class: 'buttons' }, el('button', { type: 'button', class: 'checks', 'aria-disabled': isRunning ? 'true' : 'false', text: 'Run the checks', on: { click: runChecks } }),
      el('span', { role: 'status' }, isRunning ? `Running: ${count} so far` : end && `Done: ${count},`,
        !isRunning && checks.time && el('span', {}, ' ', time(checks.time)))),
    problem && el('p', { class: 'box', text: problem }),
    findings.length > 0 && table('Findings of the checks', ['Subject', 'Verdict', 'Found', 'To do'], findings.map(({ subject, verdict, message, remedies }) => [
      subject, state(...verdicts[verdict]), el('div', { class: 'said', text: message }),
      remedies.length > 0 ? el('code', { class: 'lines', text: remedies.join('\n') }) : undefined])),
  ];
}

/** The vault, and what etcd tells of it where replicas share it. */
function vault(store) {
  const lines = [['Vault', `${store.name}${store.records === null ? '' : `, ${store.records} ${store.records === 1 ? 'record' : 'records'}`}`
    + `${store.reachable ? '' : ', not reachable'}`]];
  if (store.kind !== 'etcd') return lines;
  const since = store.interrupted_since;
  return [...lines,
    ['Revision', store.revision],
    ['Changes of other replicas', since
      ? el('span', {}, state('not seen', 'bad'), ' since ', time(since), store.lag_revisions !== null && `, ${store.lag_revisions} revisions`,
        store.interruption && el('small', { text: store.interruption }))
      : store.lag_seconds === null ? 'not seen yet' : 'seen as they come'],
    ['Exchanges now', store.turns.length === 0 ? 'none' : el('ul', {}, store.turns.map(({ api, account, holder }) => el('li', {
      text: `${api === null ? 'an account that is not known here' : `${api}/${account}`}, by ${holder}`,
    })), store.turns_left_out > 0 && el('li', { text: `and ${store.turns_left_out} more` }))],
  ];
}

async function health(told) {
  const ready = await getText('/readyz');
  const content = [el('p', {}, state(ready.text.trim(), ready.status === 200 ? 'good' : 'bad'))];
  content.push(facts([
    ['Version', `${told.version} (${told.commit})`], ['Started', time(told.started)],
    ['Configuration', el('span', {}, told.configuration.file, ', read ', time(told.configuration.loaded))],
    ['Last reload', told.configuration.last_reload && el('span', {}, words(told.configuration.last_reload.result), ' ',
      time(told.configuration.last_reload.time), told.configuration.last_reload.reason && `: ${told.configuration.last_reload.reason}`)],
    ['Listeners', el('ul', {}, told.listeners.map((listener) => el('li', {
      text: `${words(listener.purpose)}${listener.api ? ` of ${listener.api}` : ''}: ${listener.address}${listener.tls ? ', TLS' : ''}`,
    })))],
    ...vault(told.store),
  ]), el('h3', { text: 'Problems' }));
  content.push(told.problems.length === 0
    ? el('p', { text: 'None is known.' })
    : el('ul', { class: 'problems' }, told.problems.map(({ severity, kind, api, account, message, remedy }) => el('li', { class: 'box' },
      el('p', {}, el('b', { text: severity === 'error' ? '✕ Error: ' : '! Warning: ' }), words(kind),
        [api, account].filter(Boolean).length > 0 && ` (${[api, account].filter(Boolean).join(', ')})`),
      el('p', { text: message }), el('p', {}, el('code', { text: remedy }))))));
  content.push(...checkList());
  content.push(el('h3', { text: 'Other users of this machine' }), el('p', {}, 'Where the admin listener has no token (',
    el('code', { text: 'listen.admin.token' }), '), they are shown no requests and no status, and can change nothing; but they can ask for '
    + 'the names of the accounts, the metrics, readiness and the CA\'s certificate.'));
  return content;
}

const views = { accounts: ['Accounts', accounts], apis: ['APIs', apis], ca: ['Certification authority', authority], health: ['Health', health] };
let drawn = 0;

/** Draws a view anew. */
export async function draw(name) {
  drawn += 1;
  const turn = drawn;
  const [title, view] = views[name];
  let content;
  try {
    content = await view(await status());
  } catch (error) {
    content = [el('p', { class: 'box', text: error instanceof Refusal ? error.message : 'The proxy does not answer.' })];
  }
  if (turn !== drawn) return;
  replace(byID(name), [el('h2', { text: title }), ...content.filter(Boolean)]);
}

let isDrawing = false;

/** Brings a view up to date, unless somebody has marked text in it, which they want to copy. */
export async function redraw(name) {
  if (isDrawing || !getSelection().isCollapsed) return;
  isDrawing = true;
  try {
    await draw(name);
  } finally {
    isDrawing = false;
  }
}

/** Replaces what a view has, where that is another thing now; the focus and the scroll bars stay. */
function replace(view, content) {
  const next = el('div', {}, ...content);
  const isSame = view.children.length === next.children.length
    && [...next.children].every((child, index) => child.isEqualNode(view.children[index]));
  if (isSame) return;
  const within = 'a, button, [tabindex]';
  const focus = [...view.querySelectorAll(within)].indexOf(document.activeElement);
  const lefts = [...view.querySelectorAll('.scroll')].map(({ scrollLeft }) => scrollLeft);
  view.replaceChildren(...next.children);
  if (focus >= 0) view.querySelectorAll(within)[focus]?.focus({ preventScroll: true });
  view.querySelectorAll('.scroll').forEach((part, index) => { part.scrollLeft = lefts[index] ?? 0; });
}

