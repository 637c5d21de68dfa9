import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel } from '../../main/resources/web/fabric/model.js';
import { news } from '../../main/resources/web/fabric/news.js';
import { fabric, running } from './fabrics.js';

function view({ state: change = () => {}, ...snapshot } = {}) {
  const config = fabric();
  const state = running(config);
  change(state);
  return { model: buildModel(config, state), snapshot: { connection: 'live', alarms: [], runs: [], ...snapshot } };
}

const alarm = (severity, link) => ({ resource: `fabric/test/link/${link}`, type: 'link-down', severity, text: 'is down', shelved: false });
const NOTHING = { urgent: [], calm: [] };

test('nothing is said without a change, and about another fabric', () => {
  assert.deepEqual(news(view(), view()), NOTHING);
  const other = view({ alarms: [alarm('critical', 'x')] });
  other.model.name = 'other';
  assert.deepEqual(news(view(), other), NOTHING);
});

test('few links and switches are named, many counted', () => {
  const after = view({ state(state) {
    state.phase = 'degraded';
    state.link.slice(0, 3).forEach((link) => { link['oper-state'] = 'down'; });
    state.switch[0]['openflow-connected'] = false;
  } });
  assert.deepEqual(news(view(), after), { urgent: [], calm: ['The fabric is degraded.', 'Switch p1s1: not connected.', '3 links: down.'] });
  assert.deepEqual(news(after, view()).calm, ['The fabric is converged.', 'Switch p1s1: up.', '3 links: up.']);
});

test('severe alarms interrupt, others and cleared ones wait, shelved ones are not told', () => {
  const raised = view({ alarms: [alarm('major', 'p1l1:a')] });
  assert.deepEqual(news(view(), raised), { urgent: ['Major alarm, link p1l1:a: is down.'], calm: [] });
  assert.deepEqual(news(raised, view()), { urgent: [], calm: ['1 alarm cleared, none left.'] });
  assert.deepEqual(news(view(), view({ alarms: [alarm('warning', 'p1l1:a')] })), { urgent: [], calm: ['Warning alarm, link p1l1:a: is down.'] });
  assert.deepEqual(news(view(), view({ alarms: [{ ...alarm('major', 'x'), shelved: true }] })), NOTHING);
  assert.deepEqual(news(view(), view({ alarms: ['critical', 'major', 'minor'].map((each) => alarm(each, each)) })).urgent,
    ['3 new alarms, the worst critical.']);
});

test('the loss of the controller interrupts, its return waits', () => {
  const lost = view({ connection: 'lost', error: 'the controller does not answer' });
  assert.deepEqual(news(view(), lost), { urgent: ['The controller is lost: the controller does not answer.'], calm: [] });
  assert.deepEqual(news(lost, view()), { urgent: [], calm: ['The controller answers again.'] });
  assert.deepEqual(news(view({ connection: 'connecting' }), view()), NOTHING);
});

test('runs and their health are told', () => {
  const running4711 = { name: 'physics', state: 'running', health: 'ok', run: { 'run-number': 4711 } };
  assert.deepEqual(news(view(), view({ runs: [running4711] })).calm, ['Partition physics is running, run 4711.', 'Health of partition physics: ok.']);
  assert.deepEqual(news(view({ runs: [running4711] }), view({ runs: [{ ...running4711, health: 'insufficient' }] })).urgent,
    ['Health of partition physics: insufficient.']);
});
