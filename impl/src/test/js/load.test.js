import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel } from '../../main/resources/web/fabric/model.js';
import { linkLoads } from '../../main/resources/web/fabric/load.js';
import { fabric, generated, random, running, seed } from './fabrics.js';

test('prototype: rack uplinks are the fullest links, spines carry the traffic between pods', () => {
  const config = fabric();
  const loads = linkLoads(buildModel(config, running(config)));
  assert.deepEqual(loads.get('h1-1:to-p1l1'), { up: 0, down: 10, relative: 1 });
  // 24 of 48 DCMs in the plane, each with one fragment of the ROS: half of what a rack's uplink takes from six
  assert.equal(loads.get('r1-1:to-p1l1').relative, 1);
  // of 12 DCMs on the spine 6 are in pod 1, and of their fragments half come from pod 2
  const crossing = loads.get('p1l1:to-p1s1');
  assert.ok(Math.abs(crossing.down - crossing.up) < 1e-9);
  assert.ok(crossing.down > 0 && crossing.relative <= 1);
});

test('a link that is down carries nothing, and parallel links share the load', () => {
  const config = fabric({ dcms: 4 });
  config.link.push({ switch: 'p1l1', port: 'second', 'peer-switch': 'p1s1', 'peer-port': 'second' });
  const state = running(config);
  const both = linkLoads(buildModel(config, state));
  assert.equal(both.get('p1l1:second').down, both.get('p1l1:to-p1s1').down);
  state.link.find((link) => link.port === 'second')['oper-state'] = 'down';
  const one = linkLoads(buildModel(config, state));
  assert.equal(one.get('p1l1:second').relative, 0);
  assert.ok(Math.abs(one.get('p1l1:to-p1s1').down / one.get('p1l2:to-p1s1').up - 1) < 1e-9);
});

test('no placement, no load', () => {
  const loads = linkLoads(buildModel(fabric(), {}));
  assert.ok([...loads.values()].every((load) => load.relative === 0));
});

test('generated fabrics: loads are shares of the fullest link', () => {
  const from = seed();
  const next = random(from);
  for (let round = 0; round < 100; round += 1) {
    const config = generated(next);
    const loads = [...linkLoads(buildModel(config, running(config))).values()].map((load) => load.relative);
    assert.ok(loads.every((load) => load >= 0 && load <= 1 + 1e-9), `DAQFABRIC_SEED=${from}`);
    assert.ok(loads.length === 0 || Math.max(...loads) === 0 || Math.abs(Math.max(...loads) - 1) < 1e-9, `DAQFABRIC_SEED=${from}`);
  }
});
