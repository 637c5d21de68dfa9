import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rootFrom, streamUrl } from '../../main/resources/web/controller/restconf.js';

test('RESTCONF is beside the page, below whatever a proxy serves both', () => {
  for (const [page, root] of [
    ['http://127.0.0.1:8181/daqfabric/', 'http://127.0.0.1:8181/rests'],
    ['https://site/daq/daqfabric/', 'https://site/daq/rests'],
    ['https://site:8443/a/b/daqfabric/', 'https://site:8443/a/b/rests'],
    ['http://admin:secret@[fd00:73::1]:8181/daqfabric/', 'http://[fd00:73::1]:8181/rests'],
  ]) {
    assert.equal(rootFrom(`${page}controller/restconf.js`), root);
  }
});

test('the stream is asked for where all else is', () => {
  const root = rootFrom(new URL('../../main/resources/web/controller/restconf.js', import.meta.url).href);
  assert.equal(streamUrl('a/b'), `${root}/streams/json/a%2Fb`);
});
