// The service: asks, waits while it is busy, and turns what goes wrong into one kind of error.
const TRIES = 3;

export class Problem extends Error {
  constructor(status, fault) {
    super(fault.message);
    Object.assign(this, { status, kind: fault.kind, remedy: fault.remedy, conflict: fault.conflict_in_words ?? [] });
  }
}

export async function ask(path, { body, token, signal, waiting = () => {} } = {}) {
  const headers = { 'Content-Type': 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  const options = { method: body ? 'POST' : 'GET', headers, signal, body: body && JSON.stringify(body) };
  for (let left = TRIES; ; left--) {
    const answer = await reached(path, options);
    if (answer.status !== 503 || left === 1) return told(answer);
    const seconds = Math.min(30, Number(answer.headers.get('Retry-After')) || 1);
    waiting(seconds);
    await pause(seconds, signal);
  }
}

async function reached(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(0, { kind: 'Unreachable', message: 'The service cannot be reached.', remedy: 'Is it running?' });
  }
}

async function told(answer) {
  const body = await answer.json().catch(error => {
    if (error.name === 'AbortError') throw error; // given up while the answer was on its way
    return {};
  });
  const nothing = { kind: 'Unknown', message: `The service answered ${answer.status}.`, remedy: '' };
  if (!answer.ok) throw new Problem(answer.status, body.error || body.results?.[0]?.error || nothing);
  return body;
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('given up', 'AbortError'));
    });
  });
}
