import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellText, filtered, LISTS, sorted } from '../../main/resources/web/fabric/lists.js';
import { linkLoads } from '../../main/resources/web/fabric/load.js';
import { buildModel } from '../../main/resources/web/fabric/model.js';
import { fabric, running } from './fabrics.js';

function view(change = () => {}) {
  const config = fabric();
  const state = running(config);
  change(state);
  const model = buildModel(config, state);
  return { model, loads: linkLoads(model) };
}

const ids = (rows) => rows.map((row) => row.id);
const texts = (list, row) => row.cells.map((cell, at) => cellText(list, at, cell));

test('everything is in a table, and each row has a cell for each column', () => {
  const shown = view();
  for (const [name, size] of [['switches', shown.model.switches.size], ['links', shown.model.links.size], ['dcms', shown.model.dcms.size]]) {
    const rows = LISTS[name].rows(shown);
    assert.equal(rows.length, size);
    assert.ok(rows.every((row) => row.cells.length === LISTS[name].columns.length && !row.care));
  }
  assert.deepEqual(texts(LISTS.switches, LISTS.switches.rows(shown).find((row) => row.id === 'p1s1')),
    ['p1s1', 'spine', '–', '1', 'up', '2 of 2', '12', '100 %']);
});

test('what is down, away or cut off needs care', () => {
  const shown = view((state) => {
    state.link[0]['oper-state'] = 'down';
    state.switch[0]['openflow-connected'] = false;
    state.placement[0]['reachable-ros'] = 5;
    delete state.placement[1].plane;
  });
  const careful = (list) => ids(filtered(list, list.rows(shown), { text: '', onlyCare: true }));
  assert.deepEqual(careful(LISTS.links), ['p1l1:to-p1s1']);
  assert.deepEqual(careful(LISTS.switches), ['p1s1']);
  assert.deepEqual(careful(LISTS.dcms), ['h1-1d1', 'h1-1d2']);
  assert.equal(texts(LISTS.links, LISTS.links.rows(shown)[0])[3], '✕ down');
});

test('each word of the filter is found in some cell, as it is written there', () => {
  const list = LISTS.switches;
  const rows = list.rows(view());
  const found = (text) => ids(filtered(list, rows, { text, onlyCare: false }));
  assert.deepEqual(found('SPINE p1'), ['p1s1', 'p1s2']);
  assert.deepEqual(found('rack h2'), ['h2-1', 'h2-2', 'h2-3']);
  assert.deepEqual(found('spine rack'), []);
  assert.equal(found(' ').length, rows.length);
});

test('numbers are sorted by value, names by the numbers in them, what is unknown last in both directions', () => {
  const rows = [['r10', 9], ['r2', 10], ['r1', undefined], ['r3', 10]].map(([id, value]) => ({ id, cells: [id, value] }));
  assert.deepEqual(ids(sorted(rows, 0, false)), ['r1', 'r2', 'r3', 'r10']);
  assert.deepEqual(ids(sorted(rows, 1, false)), ['r10', 'r2', 'r3', 'r1']);
  assert.deepEqual(ids(sorted(rows, 1, true)), ['r2', 'r3', 'r10', 'r1']);
});
