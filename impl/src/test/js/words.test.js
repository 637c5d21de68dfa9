import assert from 'node:assert/strict';
import { test } from 'node:test';
import { losses, lossRate } from '../../main/resources/web/fabric/words.js';

test('what is lost is told with the rate while there is one, and unknown is not none', () => {
  assert.equal(losses(undefined), undefined);
  assert.equal(losses({ planned: '1.0' }), undefined);
  assert.equal(losses({ 'lost-packets': '0', 'loss-rate': 0 }), '0 packets');
  assert.equal(losses({ 'lost-packets': '1' }), '1 packet');
  assert.equal(losses({ 'lost-packets': '18446744073709551615', 'loss-rate': 100 }),
    '18446744073709551615 packets; about 0.01 % are lost at present');
  assert.equal(lossRate({ 'loss-rate': 0 }), undefined);
  assert.equal(lossRate({ 'loss-rate': 100_000 }), '10 %');
});
