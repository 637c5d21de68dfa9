/** The controller's YANG notifications as they come. */
import { call, streamUrl } from './restconf.js';

const MODULE = 'daqfabric-run-control';
const NAMES = ['run-state', 'run-health', 'operation', 'repair', 'link-state', 'switch-state'];
const NOTIFICATIONS = NAMES.map((name) => `(urn:daqfabric:run-control?revision=2026-11-21)${name}`);

/**
 * Opens a stream. A stream lives as long as somebody reads it, so there is a new one each time. That it is open is not
 * waited for: OpenDaylight answers with the first event only. What is missed till then shows as a gap.
 *
 * @param onEvent called with a notification's name and content
 * @param onEnd called once, when the stream is lost
 * @returns a promise of the function that closes it
 */
export async function openStream(onEvent, onEnd) {
  const { 'notification-stream-identifier': name } =
    await call('sal-remote:create-notification-stream', { notifications: NOTIFICATIONS });
  const source = new EventSource(streamUrl(name));
  let open = true;
  const close = () => {
    open = false;
    source.close();
  };
  source.onmessage = (message) => {
    const body = JSON.parse(message.data)['ietf-restconf:notification'];
    for (const kind of NAMES) {
      if (body?.[`${MODULE}:${kind}`]) {
        onEvent(kind, body[`${MODULE}:${kind}`]);
      }
    }
  };
  source.onerror = () => {
    if (open) {
      close();
      onEnd();
    }
  };
  return close;
}
