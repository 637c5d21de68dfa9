import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropsOf, occupancies, outline } from '../../main/resources/web/fabric/drops.js';

const EPISODE = {
  dcm: 'h1-1d1', switch: 'p1s1', begin: '2026-11-24T03:00:00.123000Z', duration: '11', dropped: '57', peak: 100, before: 2,
  occupancy: '0*2 100*2 50 0', partition: 'det', 'run-number': 7,
};

test('equal milliseconds are counted once in the state', () => {
  assert.deepEqual(occupancies('0*2 100*2 50 0'), [0, 0, 100, 100, 50, 0]);
  assert.deepEqual(occupancies('7'), [7]);
});

test('episodes come newest first; 64-bit numbers are strings', () => {
  const later = { ...EPISODE, begin: '2026-11-24T03:00:00.124Z', partition: undefined, 'run-number': undefined };
  const [first, second] = dropsOf({ 'drop-episode': [EPISODE, later] });
  assert.equal(first.run, undefined);
  assert.equal(second.run, 7);
  assert.deepEqual([second.dropped, second.milliseconds], [57, 12]);
  assert.deepEqual(dropsOf({}), []);
});

test('an episode of a switch whose clock is wrong is where it belongs', () => {
  const slow = { ...EPISODE, switch: 'p1s2', begin: '2026-11-24T01:00:00Z', began: '2026-11-24T03:00:05Z' };
  assert.deepEqual(dropsOf({ 'drop-episode': [EPISODE, slow] }).map((each) => [each.switch, each.begin]),
    [['p1s2', '2026-11-24T03:00:05Z'], ['p1s1', EPISODE.begin]]);
});

test('the outline goes from the left to the right, the peak at the top', () => {
  const [episode] = dropsOf({ 'drop-episode': [EPISODE] });
  assert.equal(outline(episode, 60, 10),
    'M0,10L0.0,10L0.0,10.0L20.0,10.0L20.0,0.0L40.0,0.0L40.0,5.0L50.0,5.0L50.0,10.0L60,10.0L60,10Z');
  assert.equal(outline({ values: [0], peak: 0 }, 60, 10), 'M0,10L0.0,10L0.0,10.0L60,10.0L60,10Z');
});
