// The list of requests: what is kept of it, what of that is shown, and the rows.
import { byID, duration, el, size } from './dom.mjs';
import { target, url } from './copying.mjs';

/** The rows at once; the oldest go first. */
const most = 1000;

/** The milliseconds after which a request in flight has a row: most are over before. */
const lasting = 400;

export class RequestList {
  #open;
  #requests = [];
  #rows = new Map();
  #waiting = [];
  #held = [];
  #selected;
  #isPaused = false;
  #isFollowing = true;
  #run;
  #frame = 0;
  #times = [];
  /** What is in flight, by the number that it has until it ends: since when it is known, and its row if there is one. */
  #inFlight = new Map();
  /** The last request that has been told of, and the last one that was cleared away. */
  #lastSequence = 0;
  #clearedSequence = 0;
  #lastTop = 0;

  /** @param open called with a request's number, to show it; undefined: nothing is shown any more. */
  constructor(open) {
    this.#open = open;
    for (const id of ['filter-text', 'filter-api', 'filter-account', 'filter-status']) {
      byID(id).addEventListener('input', () => this.filter());
    }
    byID('tools').addEventListener('submit', (event) => event.preventDefault());
    byID('unfilter').addEventListener('click', () => {
      for (const id of ['filter-text', 'filter-api', 'filter-account', 'filter-status']) byID(id).value = '';
      this.filter();
    });
    byID('pause').addEventListener('click', () => this.pause());
    byID('follow').addEventListener('click', () => this.follow(!this.#isFollowing));
    byID('clear').addEventListener('click', () => this.clear());
    byID('rows').addEventListener('click', (event) => {
      const row = event.target.closest('tr');
      if (row) this.select(Number(row.dataset.id), true);
    });
    const list = byID('list');
    list.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.count();
  }

  get selected() { return this.#selected; }

  /** Takes the list as the proxy has it; one of another run takes the place of all. */
  fill({ run, requests, in_flight: inFlight }) {
    if (this.#run !== undefined && this.#run !== run) {
      this.clear();
      this.#lastSequence = 0;
      this.#clearedSequence = 0;
    }
    this.#run = run;
    for (const request of requests) {
      this.#lastSequence = Math.max(this.#lastSequence, request.sequence);
      if (request.sequence > this.#clearedSequence) this.#add(request);
    }
    const now = new Set(inFlight.map(({ begun }) => begun));
    for (const number of this.#inFlight.keys()) if (!now.has(number)) this.#land(number);
    for (const request of inFlight) this.begin(request);
    this.tick();
  }

  /**
   * Takes a request that has just ended.
   *
   * @returns Whether others before it were not told of.
   */
  append(request) {
    const hasGap = this.#lastSequence > 0 && request.sequence > this.#lastSequence + 1;
    this.#lastSequence = Math.max(this.#lastSequence, request.sequence);
    this.#times.push(performance.now());
    if (request.begun !== null) this.#land(request.begun);
    this.#add(request);
    return hasGap;
  }

  /** Takes a request that has just begun. */
  begin(request) {
    if (!this.#inFlight.has(request.begun)) this.#inFlight.set(request.begun, { request, since: performance.now() });
  }

  #land(number) {
    this.#inFlight.get(number)?.row?.remove();
    this.#inFlight.delete(number);
  }

  /** Shows which requests have been in flight for a while; called every so often. */
  tick() {
    const now = performance.now();
    let hasNew = false;
    for (const flight of this.#inFlight.values()) {
      if (now - flight.since < lasting || this.#isPaused) continue;
      if (!flight.row) {
        flight.row = makeFlight(flight.request);
        byID('in-flight').append(flight.row);
        hasNew = true;
      }
      flight.row.hidden = !this.#matches(flight.request);
      flight.row.querySelector('.so-far').textContent = soFar(flight.request);
    }
    this.count();
    if (hasNew && this.#isFollowing) this.#scrollDown();
  }

  /** The requests per second, of the last ten. */
  get rate() {
    const since = performance.now() - 10_000;
    while (this.#times.length > 0 && this.#times[0] < since) this.#times.shift();
    return this.#times.length / 10;
  }

  #add(request) {
    if (this.#isPaused) {
      this.#held.push(request);
      if (this.#held.length > most) this.#held.shift();
      this.#label();
      return;
    }
    this.#waiting.push(request);
    // A hidden page has no frames.
    if (this.#waiting.length > most) this.#waiting.shift();
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    const rows = document.createDocumentFragment();
    const added = this.#waiting.filter(({ id }) => !this.#rows.has(id));
    this.#waiting = [];
    const isLate = added.some(({ sequence }) => sequence < (this.#requests.at(-1)?.sequence ?? 0));
    for (const request of added) {
      if (this.#rows.has(request.id)) continue;
      const row = makeRow(request);
      row.hidden = !this.#matches(request);
      this.#rows.set(request.id, row);
      this.#requests.push(request);
      rows.append(row);
      offer(byID('filter-api'), request.api);
      offer(byID('filter-account'), request.account);
    }
    byID('rows').append(rows);
    if (isLate) {
      this.#requests.sort((one, other) => one.sequence - other.sequence);
      byID('rows').append(...this.#requests.map(({ id }) => this.#rows.get(id)));
    }
    while (this.#requests.length > most) {
      const { id } = this.#requests.shift();
      this.#rows.get(id).remove();
      this.#rows.delete(id);
    }
    this.count();
    if (this.#isFollowing) this.#scrollDown();
  }

  #scrollDown() {
    const list = byID('list');
    list.scrollTop = list.scrollHeight;
    this.#lastTop = list.scrollTop;
  }

  /** Whoever scrolls back does not follow any more, until they are at the end again. */
  #scrolled() {
    const list = byID('list');
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    const isDown = list.scrollTop > this.#lastTop;
    this.#lastTop = list.scrollTop;
    if (isAtEnd ? isDown && !this.#isFollowing : this.#isFollowing) this.follow(isAtEnd);
  }

  #matches(request) {
    const api = byID('filter-api').value;
    const account = byID('filter-account').value;
    const status = byID('filter-status').value;
    if (api && request.api !== api || account && request.account !== account) return false;
    if (status === 'refused' ? !request.error : status === 'none' ? typeof request.status === 'number'
      : status && String(request.status ?? '')[0] !== status) return false;
    const words = byID('filter-text').value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return true;
    const text = [request.method, request.authority, request.path, request.query, request.api, request.account,
      request.client, request.status, request.scheme, request.error, request.cause, request.details, request.outcome, request.trace_id,
      ...request.repeats ?? []].join(' ').toLowerCase();
    return words.every((word) => word.startsWith('-') && word.length > 1
      ? !text.includes(word.slice(1)) : text.includes(word));
  }

  /** Shows what matches the filter, and hides the rest. */
  filter() {
    for (const request of this.#requests) this.#rows.get(request.id).hidden = !this.#matches(request);
    this.count();
    if (this.#isFollowing) this.#scrollDown();
  }

  count() {
    const all = this.#requests.length;
    const shown = this.#requests.filter(({ id }) => !this.#rows.get(id).hidden).length;
    const inFlight = this.#inFlight.size;
    byID('empty').hidden = all > 0 || inFlight > 0;
    byID('no-match').hidden = all === 0 || shown > 0;
    const text = shown === all ? `${all} request${all === 1 ? '' : 's'}` : `${shown} of ${all} requests`;
    byID('count').textContent = inFlight === 0 ? text : `${text}, ${inFlight} in flight`;
  }

  pause() {
    this.#isPaused = !this.#isPaused;
    if (!this.#isPaused) {
      const held = this.#held;
      this.#held = [];
      for (const request of held) this.#add(request);
    }
    this.#label();
  }

  #label() {
    byID('pause').setAttribute('aria-pressed', String(this.#isPaused));
    byID('pause').textContent = this.#isPaused ? `Go on (${this.#held.length})` : 'Pause';
  }

  follow(isFollowing) {
    this.#isFollowing = isFollowing;
    byID('follow').setAttribute('aria-pressed', String(isFollowing));
    if (isFollowing) this.#scrollDown();
  }

  toggleFollowing() { this.follow(!this.#isFollowing); }

  clear() {
    this.#clearedSequence = this.#lastSequence;
    this.#requests = [];
    this.#waiting = [];
    this.#held = [];
    this.#rows.clear();
    byID('rows').replaceChildren();
    this.#label();
    this.select(undefined, true);
    this.count();
  }

  /** Selects a request, and opens it where that is asked for. */
  select(id, opens) {
    this.#rows.get(this.#selected)?.removeAttribute('aria-current');
    this.#selected = this.#rows.has(id) ? id : undefined;
    const row = this.#rows.get(this.#selected);
    if (row) {
      row.setAttribute('aria-current', 'true');
      row.querySelector('button').focus({ preventScroll: true });
      row.scrollIntoView({ block: 'nearest' });
      const isLast = this.#requests.at(-1)?.id === id;
      if (!isLast) this.follow(false);
    }
    if (opens) this.#open(this.#selected);
  }

  /** Moves the selection by so many of the rows that are shown. */
  move(steps) {
    const shown = this.#requests.filter(({ id }) => !this.#rows.get(id).hidden).map(({ id }) => id);
    if (shown.length === 0) return;
    const at = shown.indexOf(this.#selected);
    const from = at < 0 && steps < 0 ? shown.length : at;
    this.select(shown[Math.min(Math.max(from + steps, 0), shown.length - 1)], !byID('detail').hidden);
  }
}

/** Adds a choice to a menu, once. */
function offer(menu, name) {
  if (!name || [...menu.options].some(({ value }) => value === name)) return;
  menu.append(el('option', { value: name, text: name }));
}

/** The class of a status, and the sign that says the same without colour. */
export function statusClass({ status, error, outcome }) {
  if (error) return ['refused', '✕'];
  if (status === null || outcome) return ['none', '–'];
  return status < 300 ? ['good', ''] : status < 400 ? ['other', ''] : status < 500 ? ['warn', '!'] : ['bad', '✕'];
}

/** What was asked of which server; that it is https goes without saying. */
const place = (request) => request.scheme === 'http' ? url(request) : target(request);

const owner = (request) => [request.api, request.account].filter(Boolean).join('/') || '–';

/** The time since a request began, as far as the clocks of both sides agree. */
const soFar = ({ time }) => duration(Math.max(Date.now() - Date.parse(time), 0) * 1000);

function makeFlight(request) {
  const text = place(request);
  return el('tr', {},
    el('td', { class: 'time', text: request.time.slice(11, 23) }),
    el('td', { class: 'status other' }, el('span', { 'aria-hidden': 'true', text: '…' }), el('span', { class: 'hidden', text: 'in flight' })),
    el('td', { class: 'method', text: request.method }),
    el('td', { class: 'target' }, el('span', { text, title: text })),
    el('td', { class: 'api', text: owner(request) }),
    el('td', { class: 'number so-far' }),
    el('td', { class: 'number', text: '–' }));
}

function makeRow(request) {
  const [name, sign] = statusClass(request);
  const text = place(request);
  return el('tr', { 'data-id': request.id },
    el('td', { class: 'time', text: request.time.slice(11, 23) }),
    el('td', { class: `status ${name}`, text: `${request.status ?? '–'}${sign && request.status ? ` ${sign}` : ''}` }),
    el('td', { class: 'method', text: request.method }),
    el('td', { class: 'target' }, el('button', { type: 'button', text, title: text, tabindex: '-1' }),
      request.error && el('span', { class: 'why', text: request.error }),
      request.repeats.length > 0 && el('span', { class: 'why', text: `sent again: ${request.repeats.join(', ')}` })),
    el('td', { class: 'api', text: owner(request) }),
    el('td', { class: 'number', text: duration(request.times.total_us) }),
    el('td', { class: 'number', text: size(request.response_bytes) }));
}
