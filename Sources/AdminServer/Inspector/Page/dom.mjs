// Elements are made here alone, and text is only ever text: nothing is parsed as HTML.

/** Writes what controls a terminal or turns text around as its number; what is within `kept` stays. */
export function visible(text, kept = '') {
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => kept.includes(character)
    ? character : `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`);
}

/** Makes an element. `properties`: `class`, `text`, `on` (listeners by event), anything else is an attribute. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') element.className = value;
    else if (name === 'text') element.textContent = visible(value, '\n\t');
    else if (name === 'on') for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else element.setAttribute(name, value === true ? '' : visible(value, '\n\t'));
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => child instanceof Node ? child : visible(child, '\n\t')));
  return element;
}

export const byID = (id) => document.getElementById(id);

/** Shows an alert above the page; without a text none is shown. */
export function notice(text = '') {
  byID('notice').textContent = text;
  byID('notice').hidden = text === '';
}

/** Writes microseconds for a person. */
export function duration(microseconds) {
  if (microseconds === null || microseconds === undefined) return '–';
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 100_000) return `${(microseconds / 1000).toFixed(1)} ms`;
  if (microseconds < 1_000_000) return `${Math.round(microseconds / 1000)} ms`;
  return `${(microseconds / 1_000_000).toFixed(2)} s`;
}

/** Writes a number of bytes for a person. */
export function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = -1;
  do { value /= 1024; unit += 1; } while (value >= 1024 && unit < units.length - 1);
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** Writes how far a time is from now. */
export function distance(time, now = Date.now()) {
  const seconds = Math.round((new Date(time).getTime() - now) / 1000);
  if (Number.isNaN(seconds)) return '';
  const far = Math.abs(seconds);
  const [value, unit] = far < 90 ? [far, 's'] : far < 5400 ? [Math.round(far / 60), 'min']
    : far < 129_600 ? [Math.round(far / 3600), 'h'] : [Math.round(far / 86_400), 'days'];
  return seconds < 0 ? `${value} ${unit} ago` : `in ${value} ${unit}`;
}

/** A table of names and values; those without a value are left out. */
export function facts(pairs) {
  const list = el('dl', { class: 'facts' });
  for (const [name, value] of pairs) {
    if (value === undefined || value === null || value === '') continue;
    list.append(el('dt', { text: name }), el('dd', {}, typeof value === 'object' ? value : String(value)));
  }
  return list;
}
