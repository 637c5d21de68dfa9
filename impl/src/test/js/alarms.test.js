import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarmsOf, nameOf, severityText } from '../../main/resources/web/fabric/alarms.js';

function alarm(resource, severity, more = {}) {
  return {
    resource, 'alarm-type-id': 'link-down', 'is-cleared': false, 'perceived-severity': severity, 'alarm-text': 'is down', advice: 'look',
    'last-raised': '2026-11-25T10:00:00.000Z', 'operator-state': 'none', shelved: false, ...more,
  };
}

test('the worst come first, shelved ones last, cleared ones and those of other fabrics not at all', () => {
  const shown = alarmsOf({ alarm: [
    alarm('fabric/a/link/x:y', 'major'), alarm('fabric/ab/link/x:y', 'critical'), alarm('fabric/a', 'critical', { shelved: true }),
    alarm('controller/memory', 'warning'), alarm('fabric/a/switch/s', 'critical'), alarm('fabric/a/switch/t', 'critical', { 'is-cleared': true }),
  ] }, 'a');
  assert.deepEqual(shown.map((each) => each.resource), ['fabric/a/switch/s', 'fabric/a/link/x:y', 'controller/memory', 'fabric/a']);
  assert.deepEqual(shown.map((each) => each.part), [{ kind: 'switch', id: 's' }, { kind: 'link', id: 'x:y' }, undefined, undefined]);
});

test('there may be none', () => {
  assert.deepEqual(alarmsOf(undefined, 'a'), []);
  assert.deepEqual(alarmsOf({}, 'a'), []);
});

test('severity and resource are told in words', () => {
  assert.equal(severityText('major'), '! major');
  assert.equal(nameOf('fabric/a', 'a'), 'fabric');
  assert.equal(nameOf('fabric/a/link/x:y', 'a'), 'link x:y');
  assert.equal(nameOf('controller/memory', 'a'), 'controller memory');
});
