/** The failures that would hurt most, on demand: working them all out takes the controller a while. */
import { element, button, table } from './dom.js';
import { call } from '../controller/restconf.js';
import { gbps } from '../fabric/words.js';

const SHOWN = 15;

export function worstFailures(latest, actions) {
  const result = element('div', { class: 'result worst', 'aria-live': 'polite' });
  const ask = async () => {
    result.replaceChildren(element('p', { class: 'quiet', text: 'Working it out…' }));
    try {
      const { failure = [] } = await call('daqfabric-operations:what-fails', { fabric: latest().model.name });
      result.replaceChildren(table(['If it failed', 'Left', 'DCMs move', 'cut off'], failure.slice(0, SHOWN).map((each) => row(each, actions))),
        element('p', { class: 'quiet', text: failure.length > SHOWN ? `The worst ${SHOWN} of ${failure.length}.` : '' }));
    } catch (error) {
      result.replaceChildren(element('p', { class: 'refused', role: 'alert', text: error.message }));
    }
  };
  return element('div', { class: 'worst-failures' },
    element('h3', { text: 'What would hurt most' }),
    element('p', {}, button('Work out every single failure', ask, { id: 'what-fails' })), result);
}

function row(failure, actions) {
  const id = failure.port === undefined ? failure.switch : `${failure.switch}:${failure.port}`;
  return [
    button(id, () => actions.choose({ kind: failure.kind, id }), { class: 'link-button' }),
    gbps(failure.bandwidth), failure['moved-dcms'] ?? 0, failure['cut-off-dcms'] ?? 0,
  ];
}
