import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { planner } from '../../main/resources/web/panels/planner.js';
import { buildModel } from '../../main/resources/web/fabric/model.js';
import { fabric, running } from './fabrics.js';

/** As much of an element as the page's panels use. */
class Element {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, listeners: {}, children: [], parent: null });
  }

  set textContent(text) {
    this.replaceChildren(text);
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join('');
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  append(...children) {
    this.children.push(...children);
    children.filter((child) => child instanceof Element).forEach((child) => Object.assign(child, { parent: this }));
  }

  replaceChildren(...children) {
    this.children = [];
    this.append(...children);
  }

  remove() {
    this.parent.children.splice(this.parent.children.indexOf(this), 1);
  }

  showModal() {
    this.open = true;
  }

  close(value) {
    this.returnValue = value;
    this.listeners.close();
  }

  find(id) {
    return this.attributes.id === id ? this : this.children.reduce((found, child) => found ?? child.find?.(id), undefined);
  }
}

const CONFIG = fabric();
const VIEW = { model: buildModel(CONFIG, running(CONFIG)), snapshot: { state: { generation: '1' } } };

let body;
beforeEach(() => {
  body = new Element('body');
  Object.assign(globalThis, { Node: Element, document: { createElement: (tag) => new Element(tag), body } });
});

/** A controller that keeps the tag of a fabric and refuses who names another one. */
function controller(t) {
  const known = { tag: '"1"', changes: [] };
  t.mock.method(globalThis, 'fetch', async (url, { method, headers, body: sent }) => {
    if (method === 'GET') {
      return new Response('{}', { headers: { ETag: known.tag } });
    }
    if (method === 'POST') {
      return new Response(JSON.stringify({ 'daqfabric-operations:output': { before: { bandwidth: '1' }, after: { bandwidth: '1' } } }));
    }
    known.changes.push({ match: headers['If-Match'], of: JSON.parse(sent)['daqfabric:fabric'][0] });
    return headers['If-Match'] === known.tag ? new Response(null, { status: 204 }) : new Response('', { status: 412 });
  });
  return known;
}

async function click(root, id) {
  for (let turn = 0; !root.find(id); turn++) {
    assert.ok(turn < 1000, `there is no ${id} in: ${root.textContent}`);
    await new Promise(setImmediate);
  }
  await root.find(id).listeners.click();
}

/** Plans draining a switch, lets something happen while the plan is shown, and drains it; returns what the panel says then. */
async function drain(meanwhile) {
  const panel = planner({ kind: 'switch', id: 'p1s1' }, () => VIEW, { showPreview() {}, refresh() {} });
  await click(panel, 'plan-change');
  meanwhile();
  const carriedOut = click(panel, 'carry-out');
  await click(body, 'confirm');
  await carriedOut;
  return panel.textContent;
}

test('what is drained is what was planned', async (t) => {
  const known = controller(t);
  assert.match(await drain(() => {}), /p1s1 is being drained/);
  assert.deepEqual(known.changes, [{ match: '"1"', of: { name: 'test', switch: [{ name: 'p1s1', 'admin-state': 'drained' }] } }]);
});

test('a change of somebody else after the plan is said, and what is planned anew is done', async (t) => {
  const known = controller(t);
  assert.match(await drain(() => {
    known.tag = '"2"';
  }), /Not changed: somebody else has changed the configuration meanwhile: look again, and plan again/);
  assert.match(await drain(() => {}), /p1s1 is being drained/);
  assert.deepEqual(known.changes.map(({ match }) => match), ['"1"', '"2"']);
});
