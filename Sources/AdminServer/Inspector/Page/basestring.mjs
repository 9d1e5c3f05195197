// Signature base strings (RFC 5849, section 3.4.1): written in parts, read, and compared.

/** Stands for what the proxy does not show. */
export const hidden = '…';

/** Percent-encodes as RFC 5849, section 3.6 has it; the mark of what is hidden stays. */
export function encode(text) {
  return text.split(hidden).map((part) => encodeURIComponent(part)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)).join(hidden);
}

/** Decodes percent-encoding; what is malformed stays. */
export function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a base string was signed: PLAINTEXT has none. */
export const isSigned = (signature) => signature !== null && signature.base_string_uri !== null;

/** The base string in parts, each `{ text, kind, origin, title }`; put together they are the whole. */
export function parts(method, { base_string_uri: uri, parameters }) {
  const mark = (text) => ({ text, kind: 'mark' });
  const list = [{ text: encode(method.toUpperCase()), kind: 'method', title: 'The method' }, mark('&'),
    { text: encode(uri), kind: 'uri', title: 'The base string URI' }, mark('&')];
  parameters.forEach(({ name, value, origin }, index) => {
    if (index > 0) list.push(mark('%26'));
    list.push({
      text: `${encode(name)}%3D${encode(value)}`, kind: 'parameter', origin, title: `${decode(name)} = ${decode(value)}`,
    });
  });
  return list;
}

export const text = (method, signature) => parts(method, signature).map((part) => part.text).join('');

/** Reads another signer's base string, or its `Authorization` field; undefined: it is neither. */
export function read(given) {
  const whole = given.trim().replace(/^authorization:\s*/i, '');
  if (/^oauth\s/i.test(whole)) {
    const parameters = [...whole.slice(6).matchAll(/([^\s,=]+)\s*=\s*"([^"]*)"/g)]
      .map(([, name, value]) => ({ name: decode(name), value: decode(value) }))
      .filter(({ name }) => name !== 'realm');
    return parameters.length > 0 ? { parameters } : undefined;
  }
  const sections = whole.replace(/\s+/g, '').split('&');
  if (sections.length !== 3 || !/^[A-Za-z]+$/.test(sections[0]) || !/%3A%2F%2F/i.test(sections[1])) return undefined;
  const parameters = decode(sections[2]).split('&').filter(Boolean).map((pair) => {
    const [name, ...rest] = pair.split('=');
    return { name, value: rest.join('=') };
  });
  return { method: sections[0], uri: decode(sections[1]), parameters, text: whole };
}

/** Parameters that are each request's own. */
const fresh = new Set(['oauth_nonce', 'oauth_timestamp', 'oauth_signature']);

/** Why two values may be meant to be the same; undefined: nothing is seen. */
function reason(ours, theirs) {
  if (encode(ours) === theirs || encode(decode(ours)) === theirs && ours !== theirs) return 'theirs is encoded once more';
  if (decode(theirs) === decode(ours)) return 'the same value, percent-encoded in another way';
  if (decode(ours).replaceAll(' ', '+') === decode(theirs)) return 'theirs has a plus sign for each space';
  if (ours.toLowerCase() === theirs.toLowerCase()) return 'they differ in case alone';
  if (ours.trim() === theirs.trim()) return 'they differ in white space alone';
  return undefined;
}

function uriReason(ours, theirs) {
  const port = /:(443|80)(?=\/|$)/;
  if (theirs.replace(port, '') === ours) return 'theirs has the default port, which is left out (RFC 5849, section 3.4.1.2)';
  if (theirs.split(/[?#]/)[0] === ours) return 'theirs has the query, which belongs to the parameters';
  if (theirs.replace(/^https?/, '') === ours.replace(/^https?/, '')) return 'the schemes differ';
  if (theirs.replace(/\/$/, '') === ours.replace(/\/$/, '')) return 'they differ in the last slash';
  return ours.toLowerCase() === theirs.toLowerCase() ? 'they differ in case alone' : undefined;
}

/**
 * Compares what was signed with what another signer did: a list of `{ what, ours, theirs, why }`, empty where nothing
 * that can be seen differs. Of a field only the protocol's parameters are known, and names and values decoded.
 */
export function compare(method, signature, other) {
  const isWhole = other.text !== undefined;
  const found = [];
  if (isWhole && other.method !== method.toUpperCase()) {
    found.push({ what: 'the method', ours: method.toUpperCase(), theirs: other.method,
      why: other.method.toUpperCase() === method.toUpperCase() ? 'it must be in upper case' : undefined });
  }
  if (isWhole && other.uri !== signature.base_string_uri) {
    found.push({ what: 'the base string URI', ours: signature.base_string_uri, theirs: other.uri,
      why: uriReason(signature.base_string_uri, other.uri) });
  }
  const own = signature.parameters.filter(({ origin }) => isWhole || origin === 'protocol')
    .map(({ name, value }) => isWhole ? { name, value } : { name: decode(name), value: decode(value) });
  const rest = [...other.parameters];
  const absent = [];
  for (const parameter of own) {
    let at = rest.findIndex(({ name, value }) => name === parameter.name && value === parameter.value);
    if (at < 0) at = rest.findIndex(({ name }) => name === parameter.name);
    if (at < 0) {
      absent.push(parameter);
      continue;
    }
    const [{ value }] = rest.splice(at, 1);
    if (value === parameter.value || parameter.value === hidden || fresh.has(parameter.name)) continue;
    found.push({ what: parameter.name, ours: parameter.value, theirs: value, why: reason(parameter.value, value) });
  }
  for (const { name, value } of absent) {
    found.push({ what: name, ours: value, theirs: undefined,
      why: fresh.has(name) && isWhole ? 'it takes part in the signature' : undefined });
  }
  for (const { name, value } of rest) {
    if (name === 'oauth_signature' && !isWhole) continue;
    found.push({ what: name, ours: undefined, theirs: value,
      why: name === 'oauth_signature' ? 'the signature does not sign itself' : undefined });
  }
  if (isWhole && found.length === 0) {
    const order = (list) => list.map(({ name }) => name).join('&');
    if (order(own) !== order(other.parameters)) {
      found.push({ what: 'the order of the parameters', ours: order(own), theirs: order(other.parameters),
        why: 'they are sorted by encoded name, then by encoded value' });
    }
  }
  return found;
}
