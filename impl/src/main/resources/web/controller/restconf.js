/** Talks to the controller. Every failure is a {@link ControllerError} that says what to do, or that nobody answers. */

const ROOT = `${location.origin}/rests`;
const JSON_TYPE = 'application/yang-data+json';
const LIMIT_MILLIS = 8000;

export class ControllerError extends Error {
  /** @param status of HTTP; 0 if nobody answered */
  constructor(message, status) {
    super(message);
    this.status = status;
  }

  get lost() {
    return this.status === 0;
  }
}

/** The data at a path; null where there is none. */
export async function read(path) {
  const answer = await send('GET', `data/${path}`);
  if (answer.status === 409 && (await answer.clone().text()).includes('data-missing')) {
    return null;
  }
  return (await checked(answer)).json();
}

/** The output of an rpc, an empty object if it has none. */
export async function call(rpc, input) {
  const answer = await checked(await send('POST', `operations/${rpc}`, { input }));
  const text = await answer.text();
  return text ? Object.values(JSON.parse(text))[0] : {};
}

/** Merges into the configuration. */
export async function patch(path, body) {
  await checked(await send('PATCH', `data/${path}`, body));
}

export function streamUrl(name) {
  return `${ROOT}/streams/json/${encodeURIComponent(name)}`;
}

async function send(method, path, body) {
  const headers = { Accept: JSON_TYPE };
  if (body) {
    headers['Content-Type'] = JSON_TYPE;
  }
  try {
    return await fetch(`${ROOT}/${path}`, {
      method, headers, body: body && JSON.stringify(body), cache: 'no-store', signal: AbortSignal.timeout(LIMIT_MILLIS),
    });
  } catch (error) {
    throw new ControllerError(error.name === 'TimeoutError'
      ? `the controller did not answer within ${LIMIT_MILLIS / 1000} s` : 'the controller does not answer', 0);
  }
}

async function checked(answer) {
  if (answer.ok) {
    return answer;
  }
  if (answer.status === 401 || answer.status === 403) {
    throw new ControllerError('the controller wants another login: reload the page', answer.status);
  }
  throw new ControllerError(messages(await answer.text()) || `the controller answered ${answer.status}`, answer.status);
}

/** What OpenDaylight says, one message a line. */
function messages(text) {
  try {
    return JSON.parse(text).errors.error.map((each) => each['error-message'] ?? each['error-tag']).join('\n');
  } catch {
    return '';
  }
}
