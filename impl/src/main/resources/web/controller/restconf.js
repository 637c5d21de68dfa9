/** RESTCONF requests to the controller. A failure is a {@link ControllerError} that says what to do, or that there is no answer. */

const ROOT = rootFrom(import.meta.url);
const JSON_TYPE = 'application/yang-data+json';
const TIMEOUT_MILLIS = 8000;
const PRECONDITION_FAILED = 412;

export class ControllerError extends Error {
  /** @param status HTTP status; 0 without an answer */
  constructor(message, status) {
    super(message);
    this.status = status;
  }

  get lost() {
    return this.status === 0;
  }
}

/**
 * The address of RESTCONF, from that of this file: a proxy may serve both below a path of its own. A login in it is left out, as
 * browsers make no requests to addresses with one; they know it already.
 */
export function rootFrom(module) {
  const { origin, pathname } = new URL('../../rests', module);
  return origin + pathname;
}

/** Reads the data at a path that begins with a slash, or of the root without one; null if there is none. */
export async function read(path) {
  const response = await send('GET', `data${path}`);
  // 409 where OpenDaylight's setting data-missing-is-404 is off
  if ([404, 409].includes(response.status) && (await response.clone().text()).includes('data-missing')) {
    return null;
  }
  return (await requireOk(response)).json();
}

/** Calls an rpc and returns its output; an empty object if it has none. */
export async function call(rpc, input) {
  const response = await requireOk(await send('POST', `operations/${rpc}`, { input }));
  const text = await response.text();
  return text ? Object.values(JSON.parse(text))[0] : {};
}

/** The tag of the configuration at a path, as it is now, for {@link patch}; null if a proxy keeps it back. */
export async function tag(path) {
  return (await requireOk(await send('GET', `data/${path}?content=config`))).headers.get('ETag');
}

/**
 * Merges into the configuration (PATCH).
 *
 * @param seen the tag of what the user has seen there: nothing is written if somebody has changed it since
 */
export async function patch(path, body, seen) {
  const response = await send('PATCH', `data/${path}`, body, seen ? { 'If-Match': seen } : {});
  if (response.status === PRECONDITION_FAILED) {
    throw new ControllerError('somebody else has changed the configuration meanwhile: look again, and plan again', response.status);
  }
  await requireOk(response);
}

export function streamUrl(name) {
  return `${ROOT}/streams/json/${encodeURIComponent(name)}`;
}

async function send(method, path, body, more = {}) {
  const headers = { Accept: JSON_TYPE, ...more };
  if (body) {
    headers['Content-Type'] = JSON_TYPE;
  }
  try {
    return await fetch(`${ROOT}/${path}`, {
      method, headers, body: body && JSON.stringify(body), cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    });
  } catch (error) {
    throw new ControllerError(error.name === 'TimeoutError'
      ? `the controller did not answer within ${TIMEOUT_MILLIS / 1000} s` : 'the controller does not answer', 0);
  }
}

async function requireOk(response) {
  if (response.ok) {
    return response;
  }
  if (response.status === 401 || response.status === 403) {
    throw new ControllerError('the controller refused the login: reload the page', response.status);
  }
  throw new ControllerError(messages(await response.text()) || `the controller answered ${response.status}`, response.status);
}

/** The error messages of an answer, one per line. */
function messages(text) {
  try {
    return JSON.parse(text).errors.error.map((each) => each['error-message'] ?? each['error-tag']).join('\n');
  } catch {
    return '';
  }
}
