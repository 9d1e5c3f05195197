// What is asked of the admin listener. The token, where it asks for one, is kept for this tab alone.
import { byID } from './dom.mjs';

const tokenName = 'paraph.token';

/** A request that was refused, or could not be made. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let asking;

/** Asks the person for the token, once at a time; who closes the dialog can open it again, and nothing is asked until then. */
function askForToken(problem) {
  asking ??= new Promise((resolve) => {
    const dialog = byID('token-dialog');
    const listening = new AbortController();
    const { signal } = listening;
    const open = () => {
      byID('token-notice').hidden = true;
      byID('token').value = '';
      dialog.showModal();
    };
    byID('token-problem').textContent = problem;
    byID('token-form').addEventListener('submit', (event) => {
      event.preventDefault();
      sessionStorage.setItem(tokenName, byID('token').value);
      byID('token').value = '';
      listening.abort();
      asking = undefined;
      dialog.close();
      resolve();
    }, { signal });
    dialog.addEventListener('close', () => { byID('token-notice').hidden = false; }, { signal });
    byID('token-again').addEventListener('click', open, { signal });
    open();
  });
  return asking;
}

/** Sends a request, with the token if there is one; asks for it when it is missing or wrong. */
async function send(path, options = {}) {
  for (;;) {
    const token = sessionStorage.getItem(tokenName);
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const response = await fetch(path, { ...options, headers, cache: 'no-store', credentials: 'omit', redirect: 'error' });
    if (response.status !== 401) return response;
    sessionStorage.removeItem(tokenName);
    await askForToken(token ? 'That is not the token.' : '');
  }
}

async function checked(response) {
  if (response.ok) return response;
  const message = await response.json().then((body) => body.message, () => undefined);
  throw new Refusal(response.status, message ?? `The proxy answered with ${response.status}.`);
}

/** The JSON of an answer. */
export async function get(path) {
  return (await checked(await send(path))).json();
}

/** The text of an answer, of any status. */
export async function getText(path) {
  const response = await send(path);
  return { status: response.status, text: await response.text() };
}

/** Has something done, and calls `told` with the JSON of each line of the answer as it comes. */
export async function post(path, told) {
  const response = await checked(await send(path, { method: 'POST' }));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) told(JSON.parse(line));
  }
}

/**
 * Follows the requests from now on, for ever.
 *
 * `opened` is called whenever the stream begins, `begun` and `ended` with requests, `state` with `live`, `lost` or a
 * refusal.
 */
export async function follow({ opened, begun, ended, state }) {
  let pause = 500;
  for (;;) {
    try {
      const response = await checked(await send('/events'));
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      let isOpen = false;
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        if (!isOpen) {
          isOpen = true;
          pause = 500;
          state('live');
          await opened();
        }
        rest += value;
        const events = rest.split('\n\n');
        rest = events.pop();
        for (const event of events) {
          const lines = event.split('\n');
          const data = lines.find((text) => text.startsWith('data: '));
          if (!data) continue;
          const told = lines.includes('event: begun') ? begun : ended;
          await told(JSON.parse(data.slice(6)));
        }
      }
      state('lost');
    } catch (error) {
      state(error instanceof Refusal ? error : 'lost');
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, 8000);
  }
}
