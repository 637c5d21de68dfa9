import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel } from '../../main/resources/web/fabric/model.js';
import { layout, podsOpenInitially } from '../../main/resources/web/drawing/layout.js';
import { fabric, generated, random, running, seed } from './fabrics.js';

const AVAILABLE = { width: 1000, height: 560 };

function drawn(config, open) {
  const model = buildModel(config, running(config));
  return { model, drawing: layout(model, open ?? podsOpenInitially(model), AVAILABLE) };
}

test('the prototype fits the available size and shows every switch, link and DCM', () => {
  const { model, drawing } = drawn(fabric());
  assert.ok(drawing.width <= AVAILABLE.width && drawing.height <= AVAILABLE.height);
  assert.equal(drawing.nodes.size, model.switches.size);
  assert.equal(drawing.links.size, model.links.size);
  assert.equal(drawing.chips.size, 48);
  assert.deepEqual(drawing.bundles, []);
});

test('the fabric of Fig. 6.4 is drawn with closed pods, whose uplinks are bundles', () => {
  const { model, drawing } = drawn(fabric({ planes: 4, spines: 6, pods: 4, ros: 25, racks: 7, dcms: 40 }));
  assert.ok(drawing.width <= AVAILABLE.width);
  assert.equal(drawing.groups.length, 8);
  assert.equal(drawing.bundles.length, 32);
  assert.equal(drawing.bundles.flatMap((bundle) => bundle.ids).length, 4 * 128);
  assert.equal(drawing.nodes.size, 40);
  assert.equal(drawing.links.size, model.links.size);
});

test('a node that is a ROS and an HLT rack is drawn once, with its links and DCMs', () => {
  const config = fabric({ racks: 0 });
  for (const pod of config.pod) {
    pod['hlt-rack'] = pod.ros.map((ros, at) => ({
      name: `h${pod.id}-${at + 1}`, switch: ros.switch, dcm: [{ name: `h${pod.id}-${at + 1}d1`, address: `10.2.${pod.id}.${at + 1}` }],
    }));
  }
  const { model, drawing } = drawn(config);
  assert.equal(model.switches.get('r1-1').role, 'builder');
  assert.deepEqual(model.pods.map((pod) => [pod.ros, pod.racks.length]), [[[], 3], [[], 3]]);
  assert.equal(model.ros.size, 6);
  assert.equal(drawing.nodes.size, model.switches.size);
  assert.equal(drawing.links.size, model.links.size);
  assert.equal(drawing.chips.size, 6);
});

test('an open pod shows each edge switch, the others stay closed', () => {
  const { drawing } = drawn(fabric({ planes: 4, spines: 6, pods: 4, ros: 25, racks: 7, dcms: 40 }), new Set([2]));
  assert.equal(drawing.nodes.size, 40 + 32);
  assert.equal(drawing.groups.length, 6);
  assert.equal(drawing.chips.size, 280);
});

test('generated fabrics: nothing is drawn outside, no switches overlap, no links cover each other', () => {
  const from = seed();
  const next = random(from);
  for (let round = 0; round < 60; round += 1) {
    const config = generated(next);
    const open = new Set(config.pod.filter(() => next(2)).map((pod) => pod.id));
    check(drawn(config, open), `DAQFABRIC_SEED=${from} round ${round}`);
  }
});

function check({ model, drawing }, hint) {
  const boxes = [...drawing.nodes.values(), ...drawing.groups];
  for (const box of [...boxes, ...drawing.chips.values()].map(sized)) {
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= drawing.width && box.y + box.height <= drawing.height, hint);
    assert.ok(box.width > 0 && box.height > 0, hint);
  }
  boxes.forEach((a, at) => boxes.slice(at + 1).forEach((b) => assert.ok(
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y, hint)));
  const lines = [...[...drawing.links].filter(([, link]) => !link.bundled).map(([id, link]) => [id, link.points]),
    ...drawing.bundles.map((bundle) => [bundle.id, bundle.points])];
  lines.forEach(([a, one], at) => lines.slice(at + 1).forEach(([b, other]) => assert.ok(!overlap(one, other), `${hint}: ${a} ${b}`)));
  for (const link of model.links.values()) {
    const ends = [link.lower, link.upper].map((end) => model.switches.get(end.switch));
    const leaf = ends.find((end) => end.role === 'leaf');
    const drawable = model.planes.some((plane) => [...plane.leaves.values()].includes(leaf?.name));
    assert.equal(drawing.links.has(link.id), drawable, `${hint}: ${link.id}`);
  }
}

function sized(box) {
  return box.size ? { ...box, width: box.size, height: box.size } : box;
}

/** Links are horizontal lines: two overlap if they are at the same height and their extents intersect. */
function overlap([from, to], [start, end]) {
  const [a, b] = [from[0], to[0]].sort((x, y) => x - y);
  const [c, d] = [start[0], end[0]].sort((x, y) => x - y);
  return Math.abs(from[1] - start[1]) < 1 && a < d - 0.5 && c < b - 0.5;
}
