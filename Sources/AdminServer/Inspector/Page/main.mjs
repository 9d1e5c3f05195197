// The page: its views, the keys, and the stream of requests.
import { byID, notice } from './dom.mjs';
import { Refusal, follow, get } from './connection.mjs';
import { RequestList } from './list.mjs';
import { show } from './detail.mjs';
import { draw, redraw } from './views.mjs';

const names = ['requests', 'accounts', 'apis', 'ca', 'health'];

const list = new RequestList((id) => show(id, close));

function close() {
  const { selected } = list;
  show(undefined);
  if (selected !== undefined) list.select(selected, false);
}

function currentView() {
  const name = location.hash.slice(1);
  return names.includes(name) ? name : 'requests';
}

function turn() {
  const current = currentView();
  for (const name of names) byID(name).hidden = name !== current;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${current}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = current === 'requests' ? 'Paraph' : `${document.querySelector(`nav a[href="#${current}"]`).textContent} – Paraph`;
  scrollTo(0, 0);
  if (current !== 'requests') draw(current);
}

const keys = {
  j: () => list.move(1), ArrowDown: () => list.move(1), k: () => list.move(-1), ArrowUp: () => list.move(-1),
  g: () => list.move(-1e9), G: () => list.move(1e9), Home: () => list.move(-1e9), End: () => list.move(1e9),
  Enter: () => { if (list.selected !== undefined) list.select(list.selected, true); },
  Escape: close,
  '/': () => byID('filter-text').focus(),
  p: () => list.pause(), f: () => list.toggleFollowing(),
};

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || currentView() !== 'requests') return;
  const target = event.target;
  if (document.querySelector('dialog[open]')) return;
  if (target.matches('input, select, textarea')) {
    if (event.key === 'Escape' || event.key === 'Enter' && target.id === 'filter-text') byID('list').focus();
    return;
  }
  // Within the detail the arrows scroll, and Enter presses what has the focus.
  if (target.closest('#detail') && !['Escape', 'j', 'k', '/'].includes(event.key)) return;
  if (event.key === 'Enter' && target.matches('a, button, summary') && !target.closest('#rows')) return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

addEventListener('hashchange', turn);
byID('copy-close').addEventListener('click', () => byID('copy-dialog').close());

let state = 'connecting';

function tell() {
  const rate = list.rate;
  const label = { connecting: 'Connecting', live: 'Live', lost: 'No answer; trying again' }[state] ?? 'Refused';
  byID('link').dataset.state = state;
  byID('link-mark').textContent = state === 'live' ? '●' : '○';
  const text = state === 'live' && rate > 0 ? `${label}, ${rate.toFixed(rate < 10 ? 1 : 0)}/s` : label;
  if (byID('link-text').textContent !== text) byID('link-text').textContent = text;
}

turn();
setInterval(tell, 1000);
setInterval(() => list.tick(), 500);
setInterval(() => { if (!document.hidden && currentView() !== 'requests') redraw(currentView()); }, 2000);

const fill = async () => list.fill(await get('/requests'));

follow({
  opened: fill,
  begun: (request) => list.begin(request),
  ended: (request) => list.append(request) ? fill() : undefined,
  state: (next) => {
    state = next instanceof Refusal ? 'refused' : next;
    notice(next instanceof Refusal ? next.message : '');
    tell();
  },
});
