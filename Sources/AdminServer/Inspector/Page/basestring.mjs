// Signature base strings (RFC 5849, section 3.4.1): written in parts, read, and compared.
import { visible } from './dom.mjs';

/** Stands for what the proxy does not show. */
export const hidden = '…';

/** Whether the proxy has kept the beginning of a text alone. */
export const isCut = (text) => text !== hidden && text.endsWith(hidden);

/** Percent-encodes as RFC 5849, section 3.6 has it; the mark of what is hidden stays. */
export function encode(text) {
  return text.split(hidden).map((part) => encodeURIComponent(part)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)).join(hidden);
}

/** The value of the `Authorization` field; undefined where the parameters were sent elsewhere. */
export const fieldOf = ({ authorization }) => authorization?.replaceAll(hidden, '').trim() ? authorization.trim() : undefined;

/** Decodes percent-encoding; what is malformed stays. */
export function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decodes percent-encoding for a person: each character that cannot be seen is written as its number. */
export const decoded = (text) => visible(decode(text));

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
      text: `${encode(name)}%3D${encode(value)}`, kind: 'parameter', origin, title: `${decoded(name)} = ${decoded(value)}`,
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

/** Parameters that are each request's own, and why the signatures of two requests differ for them. */
const fresh = {
  oauth_nonce: 'another nonce: the signatures must differ', oauth_timestamp: 'another timestamp: the signatures must differ',
};

/** Pairs parameters of two lists: those that are the same first, then those of one name; takes what it pairs from `theirs`. */
function paired(ours, theirs) {
  const pairs = ours.map((one) => ({ one }));
  const take = (isPartner) => {
    for (const pair of pairs) {
      if (pair.other) continue;
      const at = theirs.findIndex((other) => isPartner(pair.one, other));
      if (at >= 0) [pair.other] = theirs.splice(at, 1);
    }
  };
  take((one, other) => one.name === other.name && one.value === other.value);
  take((one, other) => one.name === other.name && isCut(one.value) && other.value.startsWith(one.value.slice(0, -1)));
  take((one, other) => one.name === other.name);
  take((one, other) => isCut(one.name) && other.name.startsWith(one.name.slice(0, -1)));
  return pairs;
}

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
 * Compares what was signed with what another signer did. Of a field only the protocol's parameters are known, and names
 * and values decoded.
 *
 * @returns What differs, in `found`: a list of `{ what, ours, theirs, why }`; the names of what could not be compared,
 * since it is not shown (`unseen`) or was cut (`cut`); and the number of parameters that are not there to be compared
 * (`leftOut`).
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
  const unseen = new Set();
  const cut = new Set();
  const leftOut = signature.parameters_left_out ?? 0;
  const absent = [];
  for (const { one, other: partner } of paired(own, rest)) {
    const { name, value } = one;
    if (partner === undefined) absent.push(one);
    else if (isCut(name) || isCut(value)) cut.add(name);
    else if ([value, decode(partner.value)].includes(hidden)) unseen.add(name);
    else if (partner.value !== value) {
      found.push({ what: name, ours: value, theirs: partner.value, why: fresh[name] ?? reason(value, partner.value) });
    }
  }
  for (const { name, value } of absent) {
    found.push({ what: name, ours: value, theirs: undefined, why: name in fresh && isWhole ? 'it takes part in the signature' : undefined });
  }
  for (const { name, value } of rest) {
    const isSignature = name === 'oauth_signature';
    // It may be one of those that are not here.
    if (isSignature ? !isWhole : leftOut > 0) continue;
    found.push({ what: name, ours: undefined, theirs: value, why: isSignature ? 'the signature does not sign itself' : undefined });
  }
  if (isWhole && found.length === 0 && cut.size === 0 && leftOut === 0) {
    const order = (list) => list.map(({ name }) => name).join('&');
    if (order(own) !== order(other.parameters)) {
      found.push({ what: 'the order of the parameters', ours: order(own), theirs: order(other.parameters),
        why: 'they are sorted by encoded name, then by encoded value' });
    }
  }
  return { found, unseen: [...unseen], cut: [...cut], leftOut };
}
