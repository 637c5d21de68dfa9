import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildModel } from '../../main/resources/web/fabric/model.js';
import { layout } from '../../main/resources/web/drawing/layout.js';
import { pathLine } from '../../main/resources/web/drawing/path.js';
import { fabric, running } from './fabrics.js';

const CONFIG = fabric();
const MODEL = buildModel(CONFIG, running(CONFIG));
const OPEN = layout(MODEL, new Set([1, 2]), { width: 1000, height: 600 });
const CLOSED = layout(MODEL, new Set(), { width: 1000, height: 600 });
const hops = (...steps) => steps.map(([name, out], at) => ({ index: at + 1, switch: name, 'out-port': out }));
const ACROSS = hops(['r1-1', 'to-p1l1'], ['p1l1', 'to-p1s2'], ['p1s2', 'to-p1l2'], ['p1l2', 'h2-1d3'], ['p1l2', 'to-h2-1'], ['h2-1', 'LOCAL']);

test('a path across pods follows its four links in order, from the ROS to the rack', () => {
  const path = pathLine(MODEL, OPEN, ACROSS);
  assert.deepEqual(path.links, ['r1-1:to-p1l1', 'p1l1:to-p1s2', 'p1l2:to-p1s2', 'h2-1:to-p1l2']);
  assert.deepEqual(path.switches, ['r1-1', 'p1l1', 'p1s2', 'p1l2', 'h2-1']);
  assert.deepEqual(path.points[0], OPEN.nodes.get('r1-1').hub);
  assert.deepEqual(path.points.at(-1), OPEN.nodes.get('h2-1').hub);
  level(path.points);
});

test('with closed pods the path leads from group to group', () => {
  const path = pathLine(MODEL, CLOSED, ACROSS);
  assert.deepEqual(path.points[0], CLOSED.groups.find((group) => group.names.includes('r1-1')).hub);
  assert.deepEqual(path.points.at(-1), CLOSED.groups.find((group) => group.names.includes('h2-1')).hub);
});

test('a packet that is turned back follows the same link twice', () => {
  const path = pathLine(MODEL, OPEN, hops(['p1l1', 'to-p1s2'], ['p1s2', 'to-p1l1'], ['p1l1', 'to-p1s1'], ['p1s1', 'to-p1l2'], ['p1l2', 'to-h2-1']));
  assert.deepEqual(path.links.slice(0, 2), ['p1l1:to-p1s2', 'p1l1:to-p1s2']);
});

test('what is not drawn is left out', () => {
  assert.deepEqual(pathLine(MODEL, OPEN, hops(['gone', 'x'], ['p1l1', 'nowhere'])).points, []);
  assert.deepEqual(pathLine(MODEL, OPEN, []), { points: [], links: [], switches: [] });
});

/** Lines are horizontal or vertical, except where one enters a box. */
function level(points) {
  const slanted = points.slice(1).filter((point, at) => point[0] !== points[at][0] && point[1] !== points[at][1]);
  assert.ok(slanted.length <= 6, JSON.stringify(points));
}
