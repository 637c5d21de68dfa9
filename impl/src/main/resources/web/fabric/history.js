/** The events shown on the timeline. Pure: every function returns a new history. */
import { count, gbps, milliseconds, stateWord } from './words.js';

const MAX_EVENTS = 500;

/** No events known yet. */
export const EMPTY = { epoch: undefined, sequence: 0, gap: false, events: [] };

/** Adds a notification. A gap in the sequence numbers means that some were missed. */
export function withNotification(history, kind, body) {
  const sequence = Number(body.sequence ?? 0);
  const sameEpoch = history.epoch === body.epoch;
  if (sameEpoch && sequence && sequence <= history.sequence) {
    return history;
  }
  const gap = history.gap || (history.epoch !== undefined && (!sameEpoch || sequence > history.sequence + 1));
  const event = notificationEvent(kind, body);
  return {
    epoch: body.epoch ?? history.epoch,
    sequence: gap ? history.sequence : sequence,
    gap,
    events: event ? merged(history.events, [event]) : history.events,
  };
}

/** Adds the answer of rpc missed-events. */
export function withMissed(history, answer) {
  const events = (answer.event ?? []).filter((each) => each.kind !== 'operation').map((each) => missedEvent(answer.epoch, each));
  return {
    epoch: answer.epoch, sequence: Number(answer.newest ?? 0), gap: false, events: merged(history.events, events),
  };
}

/** Adds the last repair of the state tree, which may be older than all notifications. */
export function withLastRepair(history, fabric, repair) {
  if (!repair || repair.confirmed === undefined) {
    return history;
  }
  return withKnown(history, { ...repairEvent(fabric, repair), id: `repair ${repair.detected}` }, repair.confirmed);
}

/** The same for its step for balance. */
export function withLastRebalanced(history, fabric, step) {
  if (!step || step.confirmed === undefined) {
    return history;
  }
  return withKnown(history, { ...rebalancedEvent(fabric, step), id: `rebalanced ${step.begun}` }, step.confirmed);
}

/** Adds an event unless it was notified, which is timed when it had ended if it was missed. */
function withKnown(history, added, confirmed) {
  const known = history.events.some((event) => event.kind === added.kind && event.fabric === added.fabric
    && Math.abs(event.time - added.time) < Number(confirmed) + 1000);
  return known ? history : { ...history, events: merged(history.events, [added]) };
}

/** An event of missed-events. Its text does not name the link or partition, and has numbers only in words. */
function missedEvent(epoch, event) {
  const subject = event.subject ?? event.partition;
  const base = { ...numbered(epoch, event.sequence), time: Date.parse(event.time), kind: event.kind, fabric: event.fabric, subject };
  if (event.kind === 'repair' || event.kind === 'rebalanced') {
    return { ...base, text: event.text, moved: Number(/(\d+) DCMs? moved/.exec(event.text)?.[1] ?? 0) };
  }
  const state = ['link-state', 'run-health'].includes(event.kind) ? event.text.split(',')[0] : undefined;
  return { ...base, state, text: `${subject ?? ''} ${event.text}`.trim() };
}

function numbered(epoch, sequence) {
  return { id: `${epoch} ${sequence}`, epoch, sequence: Number(sequence) };
}

function notificationEvent(kind, body) {
  const number = numbered(body.epoch, body.sequence);
  const base = { ...number, time: Date.parse(body.time), kind, fabric: body.fabric };
  switch (kind) {
    case 'repair':
      return { ...repairEvent(body.fabric, body), ...number };
    case 'rebalanced':
      return { ...rebalancedEvent(body.fabric, body), ...number };
    case 'link-state':
      return {
        ...base, subject: `${body.switch}:${body.port}`, state: body['oper-state'],
        text: `${body.switch}:${body.port} ${body['held-back'] ? stateWord('held-back') : body['oper-state']}`,
      };
    case 'switch-state':
      return { ...base, subject: body.switch, text: `${body.switch} ${switchWords(body)}` };
    case 'run-state':
      return {
        ...base, subject: body.partition,
        text: `${body.partition} ${body.state}${body['run-number'] === undefined ? '' : `, run ${body['run-number']}`}${body.reason ? `: ${body.reason}` : ''}`,
      };
    case 'run-health':
      return {
        ...base, subject: body.partition, state: body.health, text: `${body.partition} ${body.health ?? 'not known'}, ${gbps(body['achievable-bandwidth'])} achievable`,
      };
    default:
      return null;
  }
}

function switchWords(body) {
  if (!body['ovsdb-connected'] || !body['openflow-connected']) {
    return stateWord('away');
  }
  return body['last-error'] ?? 'connected';
}

function repairEvent(fabric, repair) {
  const moved = Number(repair['moved-dcms'] ?? 0);
  return {
    fabric, kind: 'repair', subject: repair.cause, moved, time: Date.parse(repair.detected),
    text: `${repair.cause}; ${count(moved, 'DCM')} moved, repaired in ${milliseconds(repair.confirmed)}`,
  };
}

function rebalancedEvent(fabric, step) {
  const moved = Number(step['moved-dcms'] ?? 0);
  return {
    fabric, kind: 'rebalanced', subject: step.cause, moved, time: Date.parse(step.begun),
    text: `${step.cause}; then ${count(moved, 'DCM')} moved for balance in ${milliseconds(step.confirmed)}`,
  };
}

/**
 * Events in the order in which they happened, without duplicates, limited to the newest. The controller numbers them; its clock
 * may have been set back, and what comes after that is new all the same. The last repair has no number: it comes to where its
 * time is, and stays there.
 */
function merged(events, added) {
  const all = new Map(events.map((event) => [event.id, event]));
  added.filter((event) => !all.has(event.id)).forEach((event) => all.set(event.id, event));
  const epochs = [...new Set([...all.values()].map((event) => event.epoch))];
  const ordered = [...all.values()].filter((event) => event.sequence !== undefined)
    .sort((a, b) => epochs.indexOf(a.epoch) - epochs.indexOf(b.epoch) || a.sequence - b.sequence);
  [...all.values()].filter((event) => event.sequence === undefined).forEach((event) => {
    const was = events.indexOf(event);
    const left = was < 0 ? ordered.findLastIndex((other) => other.time <= event.time) : ordered.indexOf(events[was - 1]);
    ordered.splice(left + 1, 0, event);
  });
  return ordered.slice(-MAX_EVENTS);
}
