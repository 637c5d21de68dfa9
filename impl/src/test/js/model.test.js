import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel, dcmsOn, problems, withEvent } from '../../main/resources/web/fabric/model.js';
import { fabric, running } from './fabrics.js';

const CONFIG = fabric();
const STATE = running(CONFIG);

test('the role of a switch follows from where it is named', () => {
  const model = buildModel({ ...CONFIG, switch: [...CONFIG.switch, { name: 'extra' }] }, STATE);
  assert.equal(model.switches.get('p2s1').role, 'spine');
  assert.equal(model.switches.get('p2l1').role, 'leaf');
  assert.equal(model.switches.get('r1-1').role, 'ros');
  assert.equal(model.switches.get('h2-3').role, 'hlt-rack');
  assert.deepEqual(model.spares, ['extra']);
  assert.equal(model.dcms.size, 48);
  assert.equal(dcmsOn(model, 1, 2).length, 12);
});

test('a link leads from the lower switch to the upper, whichever end it is declared under', () => {
  const turned = { switch: 'p1s1', port: 'x', 'peer-switch': 'p1l1', 'peer-port': 'y' };
  const model = buildModel({ ...CONFIG, link: [turned] }, {});
  assert.deepEqual(model.links.get('p1s1:x').lower, { switch: 'p1l1', port: 'y' });
  assert.deepEqual(model.links.get('p1s1:x').upper, { switch: 'p1s1', port: 'x' });
});

test('a fabric without a state has a model without problems', () => {
  const model = buildModel(CONFIG, {});
  assert.equal(model.phase, 'unknown');
  assert.deepEqual(new Set([...model.links.values()].map((link) => link.state)), new Set(['unknown']));
  assert.deepEqual(problems(model), []);
});

test('a fabric with only a name has an empty model', () => {
  const model = buildModel({ name: 'empty' }, { phase: 'converged' });
  assert.equal(model.switches.size + model.links.size + model.dcms.size, 0);
});

test('all states of switches and links are distinguished', () => {
  const state = structuredClone(STATE);
  Object.assign(state.link[0], { 'oper-state': 'down' });
  Object.assign(state.link[1], { 'held-back': true });
  Object.assign(state.link[2], { 'oper-state': 'miscabled' });
  Object.assign(state.switch[0], { 'openflow-connected': false });
  Object.assign(state.switch[1], { 'last-error': 'do this' });
  Object.assign(state.placement[0], { 'reachable-ros': 0 });
  const config = structuredClone(CONFIG);
  config.switch[2]['admin-state'] = 'drained';
  const model = buildModel(config, state);
  assert.deepEqual([...model.links.values()].slice(0, 4).map((link) => link.state), ['down', 'held-back', 'miscabled', 'up']);
  assert.deepEqual(config.switch.slice(0, 4).map(({ name }) => model.switches.get(name).state), ['away', 'faulty', 'drained', 'up']);
  assert.equal(problems(model).length, 6);
  assert.ok(problems(model).some((each) => each.text === 'do this'));
});

test('a port that is less than it must be is a problem of its link, or of its switch if it is in none', () => {
  const link = CONFIG.link[0];
  const model = buildModel(CONFIG, { ...STATE, port: [
    { switch: link.switch, port: link.port, speed: 10, fault: 'too slow' },
    { switch: link['peer-switch'], port: link['peer-port'], speed: 25 },
    { switch: 'h1-1', port: 'dcm7', fault: 'half duplex' },
  ] });
  assert.deepEqual(problems(model), [
    { kind: 'switch', id: 'h1-1', state: 'faulty', text: 'h1-1:dcm7: half duplex' },
    { kind: 'link', id: `${link.switch}:${link.port}`, state: 'faulty', text: `${link.switch}:${link.port}: too slow` },
  ]);
});

test('losses, doubt and packets that do not arrive are problems', () => {
  const state = structuredClone(STATE);
  Object.assign(state.link[0], { 'to-peer': { 'loss-rate': 1000, 'lost-packets': '7' }, 'from-peer': { 'loss-rate': 0, 'lost-packets': '1' } });
  Object.assign(state.switch[0], { 'openflow-connected': false, 'in-doubt': true });
  Object.assign(state.placement[0], { 'missed-ros': ['r1-1', 'r1-2'] });
  assert.deepEqual(problems(buildModel(CONFIG, state)), [
    { kind: 'switch', id: state.switch[0].name, state: 'away', text: 'not connected, and may hold no rules' },
    { kind: 'link', id: `${state.link[0].switch}:${state.link[0].port}`, state: 'faulty', text: 'loses about 0.1 % of its packets' },
    { kind: 'dcm', id: state.placement[0].dcm, state: 'faulty', text: 'packets do not arrive, from or to 2 of 6 ROS' },
  ]);
});

test('a notification changes only the link or switch it names', () => {
  const { switch: name, port } = STATE.link[5];
  const after = withEvent(STATE, 'link-state', { switch: name, port, 'oper-state': 'down' });
  assert.equal(after.link[5]['oper-state'], 'down');
  assert.equal(STATE.link[5]['oper-state'], 'up');
  assert.deepEqual(after.link.filter((link, at) => at !== 5), STATE.link.filter((link, at) => at !== 5));
  const away = withEvent(STATE, 'switch-state', { switch: 'p1s1', 'ovsdb-connected': true, 'openflow-connected': false });
  assert.equal(buildModel(CONFIG, away).switches.get('p1s1').state, 'away');
  assert.equal(withEvent(STATE, 'run-state', {}), STATE);
});
