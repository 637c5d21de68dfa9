import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel } from '../../main/resources/web/fabric/model.js';
import { dcmsOfSpinesAfter, summary } from '../../main/resources/web/panels/planned.js';
import { worst } from '../../main/resources/web/fabric/words.js';
import { fabric, running } from './fabrics.js';

const CONFIG = fabric();
const MODEL = buildModel(CONFIG, running(CONFIG));

test('number of DCMs per spine after a change', () => {
  const plan = { 'moved-dcm': [
    { dcm: 'a', 'from-plane': 1, 'from-spine': 1, 'to-plane': 1, 'to-spine': 2 },
    { dcm: 'b', 'from-plane': 1, 'from-spine': 1, 'to-plane': 2, 'to-spine': 1 },
    { dcm: 'c', 'from-plane': 1, 'from-spine': 1 },
  ] };
  assert.deepEqual(Object.fromEntries(dcmsOfSpinesAfter(MODEL, plan)), { p1s1: 9, p1s2: 13, p2s1: 13 });
});

test('a plan in a sentence', () => {
  assert.equal(summary({ before: { bandwidth: '120.0' }, after: { bandwidth: '120.0', utilisation: '1.0' } }),
    'Bandwidth stays 120 Gbps. No DCM moves. Every ROS reaches every DCM.');
  assert.match(summary({ before: { bandwidth: '120.0' }, after: { bandwidth: '96.0', utilisation: '0.8' }, 'moved-dcm': [{}], 'cut-off': [{}, {}] }),
    /^Bandwidth 120 Gbps → 96 Gbps \(80 %\)\. 1 DCM moves\. ✕ 2 DCMs would not be reached/);
});

test('several links are shown in the worst of their states', () => {
  assert.equal(worst(['up', 'down', 'drained']), 'down');
  assert.equal(worst(['up', 'up']), 'up');
  assert.equal(worst(['up', 'held-back']), 'held-back');
});
