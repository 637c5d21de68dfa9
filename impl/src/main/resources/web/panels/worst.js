/** The failures with the worst effect, on demand: calculating them takes the controller a while. */
import { element, button, table } from './dom.js';
import { call } from '../controller/restconf.js';
import { gbps } from '../fabric/words.js';

const MAX_SHOWN = 15;

export function worstFailures(latest, actions) {
  const result = element('div', { class: 'result worst', 'aria-live': 'polite' });
  const ask = async () => {
    result.replaceChildren(element('p', { class: 'quiet', text: 'Calculating…' }));
    try {
      const { failure = [] } = await call('daqfabric-operations:what-fails', { fabric: latest().model.name });
      result.replaceChildren(table('The worst failures', ['If it failed', 'Left', 'DCMs move', 'cut off'], failure.slice(0, MAX_SHOWN).map((each) => row(each, actions))),
        element('p', { class: 'quiet', text: failure.length > MAX_SHOWN ? `The worst ${MAX_SHOWN} of ${failure.length}.` : '' }));
    } catch (error) {
      result.replaceChildren(element('p', { class: 'refused', role: 'alert', text: error.message }));
    }
  };
  return element('div', { class: 'worst-failures' },
    element('h3', { text: 'Worst failures' }),
    element('p', {}, button('Calculate every single failure', ask, { id: 'what-fails' })), result);
}

function row(failure, actions) {
  const id = failure.port === undefined ? failure.switch : `${failure.switch}:${failure.port}`;
  return [
    button(id, () => actions.choose({ kind: failure.kind, id }), { class: 'link-button' }),
    gbps(failure.bandwidth), failure['moved-dcms'] ?? 0, failure['cut-off-dcms'] ?? 0,
  ];
}
