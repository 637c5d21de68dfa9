import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY, withLastRebalanced, withLastRepair, withMissed, withNotification } from '../../main/resources/web/fabric/history.js';

const at = (second) => `2026-11-21T12:00:${String(second).padStart(2, '0')}.000000Z`;
const link = (sequence, epoch = 'e') => ({ epoch, sequence: String(sequence), time: at(sequence), fabric: 'f', switch: 'p1l1', port: 'to-p1s1', 'oper-state': 'down' });
const REPAIR = { cause: 'down: p1l1:to-p1s1', detected: at(5), computed: '20.1', confirmed: '140.2', 'moved-dcms': 12, messages: 109 };

test('notifications become events with a text, in order', () => {
  const history = withNotification(withNotification(EMPTY, 'link-state', link(1)), 'repair', { epoch: 'e', sequence: '2', time: at(6), fabric: 'f', ...REPAIR });
  assert.deepEqual(history.events.map((event) => event.text), ['p1l1:to-p1s1 down', 'down: p1l1:to-p1s1; 12 DCMs moved, repaired in 140 ms']);
  assert.equal(history.sequence, 2);
  assert.equal(history.gap, false);
});

test('a repeated notification is ignored', () => {
  const once = withNotification(EMPTY, 'link-state', link(1));
  assert.equal(withNotification(once, 'link-state', link(1)), once);
});

test('a gap or a restart of the controller is noticed, and missed-events fills it', () => {
  const one = withNotification(EMPTY, 'link-state', link(1));
  assert.equal(withNotification(one, 'link-state', link(3)).gap, true);
  assert.equal(withNotification(one, 'link-state', link(2, 'other')).gap, true);
  const gap = withNotification(one, 'link-state', link(3));
  const event = [2, 3].map((sequence) => ({ sequence: String(sequence), time: at(sequence), kind: 'link-state', fabric: 'f', text: `event ${sequence}` }));
  const whole = withMissed(gap, { epoch: 'e', newest: '3', event });
  assert.deepEqual(whole.events.map((each) => each.id), ['e 1', 'e 2', 'e 3']);
  assert.equal(whole.gap, false);
  assert.equal(whole.sequence, 3);
});

test('missed events name their subject and look like notified ones', () => {
  const answer = { epoch: 'e', newest: '4', event: [
    { sequence: '1', time: at(1), kind: 'link-state', fabric: 'f', subject: 'p1l1:to-p1s1', text: 'up, not used yet' },
    { sequence: '2', time: at(2), kind: 'repair', fabric: 'f', text: 'down: p1l1:to-p1s1: repaired in 140 ms, 12 DCMs moved, 109 messages' },
    { sequence: '3', time: at(3), kind: 'run-health', fabric: 'f', partition: 'physics', text: 'degraded, 96.000 of 120.000 Gbps' },
    { sequence: '4', time: at(4), kind: 'operation', fabric: 'f', partition: 'physics', text: 'prepare done, 100 %' }] };
  const { events } = withMissed(EMPTY, answer);
  assert.deepEqual(events.map((event) => [event.text, event.state, event.moved]), [
    ['p1l1:to-p1s1 up, not used yet', 'up', undefined],
    ['down: p1l1:to-p1s1: repaired in 140 ms, 12 DCMs moved, 109 messages', undefined, 12],
    ['physics degraded, 96.000 of 120.000 Gbps', 'degraded', undefined]]);
});

test('what moves for balance after a repair is an event of its own', () => {
  const step = { cause: 'down: p1l1:to-p1s1', begun: at(7), confirmed: '60.4', 'moved-dcms': 1, messages: 30 };
  const notified = withNotification(EMPTY, 'rebalanced', { epoch: 'e', sequence: '1', time: at(8), fabric: 'f', ...step });
  assert.deepEqual(notified.events.map((event) => [event.kind, event.time, event.moved, event.text]),
    [['rebalanced', Date.parse(at(7)), 1, 'down: p1l1:to-p1s1; then 1 DCM moved for balance in 60 ms']]);
  const missed = withMissed(EMPTY, { epoch: 'e', newest: '1', event: [
    { sequence: '1', time: at(8), kind: 'rebalanced', fabric: 'f', text: 'down: p1l1:to-p1s1: rebalanced in 60 ms, 1 DCMs moved, 30 messages' },
  ] });
  assert.deepEqual(missed.events.map((event) => [event.kind, event.moved]), [['rebalanced', 1]]);
  assert.equal(withLastRebalanced(notified, 'f', step), notified);
  assert.equal(withLastRebalanced(EMPTY, 'f', { ...step, confirmed: undefined }), EMPTY);
  assert.deepEqual(withLastRebalanced(EMPTY, 'f', step).events.map((event) => event.text), notified.events.map((event) => event.text));
});

test('the last repair of the state is shown once, also if it was notified', () => {
  const shown = withLastRepair(EMPTY, 'f', REPAIR);
  assert.equal(shown.events.length, 1);
  assert.equal(withLastRepair(shown, 'f', REPAIR), shown);
  const notified = withNotification(EMPTY, 'repair', { epoch: 'e', sequence: '1', time: at(6), fabric: 'f', ...REPAIR });
  assert.equal(withLastRepair(notified, 'f', REPAIR), notified);
  assert.equal(withLastRepair(EMPTY, 'f', { ...REPAIR, confirmed: undefined }), EMPTY);
});

test('only the newest events are kept', () => {
  let history = EMPTY;
  for (let sequence = 1; sequence <= 700; sequence += 1) {
    history = withNotification(history, 'link-state', { ...link(sequence), time: new Date(sequence * 1000).toISOString() });
  }
  assert.equal(history.events.length, 500);
  assert.equal(history.events.at(-1).id, 'e 700');
});

test('what happens after the clock of the controller was set back is the newest', () => {
  const hours = (hour, sequence) => ({ ...link(sequence), time: `2026-11-21T${hour}:00:${String(sequence).padStart(2, '0')}.000000Z` });
  let history = EMPTY;
  [hours(12, 1), hours(12, 2), hours(11, 3), hours(11, 5)].forEach((body) => { history = withNotification(history, 'link-state', body); });
  const event = [2, 4].map((sequence) => ({ ...hours(sequence > 2 ? 11 : 12, sequence), kind: 'link-state', text: `event ${sequence}` }));
  const whole = withMissed(history, { epoch: 'e', newest: '5', event });
  assert.deepEqual(whole.events.map((each) => each.sequence), [1, 2, 3, 4, 5]);
  const repaired = withLastRepair(whole, 'f', { ...REPAIR, detected: hours(11, 6).time });
  assert.deepEqual(repaired.events.map((each) => each.kind), [...Array(5).fill('link-state'), 'repair']);
  assert.deepEqual(withNotification(repaired, 'link-state', hours(11, 7)).events.map((each) => each.sequence), [1, 2, 3, 4, 5, undefined, 7]);
  const restarted = withNotification(repaired, 'link-state', { ...hours(10, 1), epoch: 'later' });
  assert.equal(restarted.events.at(-1).id, 'later 1');
});
