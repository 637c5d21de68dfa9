import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patch, rootFrom, streamUrl, tag } from '../../main/resources/web/controller/restconf.js';

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

/** Answers requests in turn, and returns them. */
function answering(t, ...answers) {
  const requests = [];
  t.mock.method(globalThis, 'fetch', async (url, { method, headers, body }) => {
    requests.push({ path: url.replace(/^.*\/rests\//, ''), method, match: headers['If-Match'], body: body && JSON.parse(body) });
    return answers.shift();
  });
  return requests;
}

test('what is changed is what was seen', async (t) => {
  const requests = answering(t, new Response('{}', { headers: { ETag: 'W/"1a"' } }), new Response(null, { status: 204 }));
  const seen = await tag('daqfabric:fabrics/fabric=f');
  await patch('daqfabric:fabrics/fabric=f', { mtu: 1 }, seen);
  assert.deepEqual(requests, [
    { path: 'data/daqfabric:fabrics/fabric=f?content=config', method: 'GET', match: undefined, body: undefined },
    { path: 'data/daqfabric:fabrics/fabric=f', method: 'PATCH', match: 'W/"1a"', body: { mtu: 1 } },
  ]);
});

test('a change of somebody else is said, and not undone', async (t) => {
  const requests = answering(t, new Response('{"ietf-restconf:errors":{"error":[{"error-message":"another tag"}]}}', { status: 412 }));
  await assert.rejects(patch('x', {}, '"1a"'), { status: 412, message: /^somebody else has changed .* look again/ });
  assert.equal(requests.length, 1);
});

test('where a proxy keeps the tag back all is written as without one', async (t) => {
  const requests = answering(t, new Response('{}'), new Response(null, { status: 204 }));
  await patch('x', {}, await tag('x'));
  assert.equal(requests[1].match, undefined);
});
