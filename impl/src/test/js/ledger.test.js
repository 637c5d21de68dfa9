import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../../main/resources/web/fabric/ledger.js';
import { buildModel } from '../../main/resources/web/fabric/model.js';
import { fabric, running } from './fabrics.js';

function found(change) {
  const config = fabric();
  const state = running(config);
  change(state);
  return ledger(buildModel(config, state)).map(({ place, packets, rate }) => [place, String(packets), rate]);
}

function episode(dropped, minute) {
  return {
    dcm: 'h1-1d1', switch: 'p1s1', begin: `2026-11-24T03:${minute}:00.000000Z`, duration: '11', dropped, peak: 100, before: 2,
    occupancy: '0*2 100*2 50 0',
  };
}

test('where nothing was lost there is no place', () => {
  assert.deepEqual(found(() => {}), []);
  assert.deepEqual(found((state) => {
    state.link[0]['to-peer'] = { 'lost-packets': '0', 'loss-rate': 0 };
    state.switch[0]['host-drops'] = { 'packet-sockets': '0', 'processor-backlogs': '0' };
  }), []);
});

test('links by direction, daqrings and hosts, those with most first', () => {
  assert.deepEqual(found((state) => {
    const link = state.link.find((each) => each.switch === 'p1l1' && each.port === 'to-p1s2');
    link['to-peer'] = { 'lost-packets': '1', 'loss-rate': 1000 };
    link['from-peer'] = { 'lost-packets': '18446744073709551615' };
    state['drop-episode'] = [episode('50', '01'), episode('7', '02')];
    state.switch.find((each) => each.name === 'r1-1')['host-drops'] = { 'packet-sockets': '2', 'processor-backlogs': '3' };
  }), [
    ['link from p1s2:to-p1l1 to p1l1', '18446744073709551615', undefined],
    ['daqring of h1-1d1 in p1s1', '57', undefined],
    ["processor backlogs of r1-1's host", '3', undefined],
    ["packet sockets of r1-1's host", '2', undefined],
    ['link from p1l1:to-p1s2 to p1s2', '1', '0.1 %'],
  ]);
});

test('what is lost behind a port has a rate and no count', () => {
  assert.deepEqual(found((state) => {
    state.link[0]['from-peer'] = { 'lost-packets': '0', 'loss-rate': 10_000 };
  }), [['link from p1s1:to-p1l1 to p1l1', '0', '1 %']]);
});
