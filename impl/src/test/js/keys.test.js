import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neighbour } from '../../main/resources/web/drawing/keys.js';

const ITEMS = [{ id: 'a', x: 0, y: 0 }, { id: 'b', x: 100, y: 0 }, { id: 'c', x: 20, y: 40 }, { id: 'd', x: 100, y: 200 }];

test('an item straight ahead is preferred to a nearer one aside', () => {
  assert.equal(neighbour(ITEMS, 'a', 'ArrowRight'), 'b');
  assert.equal(neighbour(ITEMS, 'a', 'ArrowDown'), 'c');
  assert.equal(neighbour(ITEMS, 'b', 'ArrowDown'), 'd');
  assert.equal(neighbour(ITEMS, 'b', 'ArrowLeft'), 'a');
});

test('there is no neighbour at the edge, for another key or for an unknown item', () => {
  assert.equal(neighbour(ITEMS, 'a', 'ArrowUp'), null);
  assert.equal(neighbour(ITEMS, 'a', 'x'), null);
  assert.equal(neighbour(ITEMS, 'z', 'ArrowUp'), null);
});
