/** The stream of the controller's YANG notifications. */
import { call, streamUrl } from './restconf.js';

const MODULE = 'daqfabric-run-control';
const KINDS = ['run-state', 'run-health', 'operation', 'repair', 'rebalanced', 'link-state', 'switch-state'];
const NOTIFICATIONS = KINDS.map((name) => `(urn:daqfabric:run-control?revision=2026-11-21)${name}`);

/**
 * Opens a stream. A stream exists only while it is read, so each call creates a new one. It does not wait until the stream is
 * open: OpenDaylight answers only with the first event. What is missed until then shows as a gap.
 *
 * @param onEvent called with the name and content of a notification
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
    for (const kind of KINDS) {
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
